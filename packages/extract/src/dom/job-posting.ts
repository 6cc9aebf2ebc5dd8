import { decodeHTML } from 'entities';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type Pay, payPeriodOf } from '#extract/values/pay.ts';
import { toList } from '#extract/values/json.ts';
import {
  at,
  boolean,
  countOf,
  decimal,
  homepage,
  line,
  mediaUrl,
  moment,
  statedAmount,
  text,
} from '#extract/values/raw.ts';
import { things } from './described.ts';
import { readRich, type RichText } from './elements.ts';
import type { ParsedPage } from './parsed-page.ts';

/** A place of work. Unknown members are null. */
export type JobPlace = {
  readonly city: string | null;
  readonly region: string | null;
  readonly country: string | null;
  readonly postal_code: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
};

/** A job in the structured data of a page (schema.org `JobPosting`). */
export type JobPosting = {
  readonly title: string | null;
  /** URLs and numbers that identify it. */
  readonly names: readonly string[];
  readonly description: RichText | null;
  readonly company: { readonly name: string | null; readonly url: string | null; readonly logo_url: string | null };
  readonly places: readonly JobPlace[];
  readonly isRemote: boolean;
  readonly employmentTypes: readonly string[];
  readonly pay: Pay | null;
  readonly postedAt: string | null;
  readonly validThrough: string | null;
  readonly benefits: readonly string[];
  readonly skills: readonly string[];
  readonly qualifications: readonly string[];
  readonly experienceMonths: number | null;
  readonly education: string | null;
  readonly industries: readonly string[];
  readonly isDirectApply: boolean | null;
};

const MAX_PHRASES = 200;
const MAX_PHRASE_LENGTH = 200;

/** The jobs in the structured data of a page. */
export function jobPostingsIn(page: ParsedPage): readonly JobPosting[] {
  return things(page, 'JobPosting').map(({ members }) => toJobPosting(members, page.url));
}

/** Converts one schema.org `JobPosting`. */
export function toJobPosting(members: JsonObject, base: string): JobPosting {
  const company = members['hiringOrganization'];
  return {
    title: parseWording(members['title']) ?? parseWording(members['name']),
    names: [members['url'], members['@id'], at(members, 'identifier', 'value'), members['identifier']].flatMap(
      (one) => line(one) ?? [],
    ),
    description: descriptionOf(members['description'], base),
    company: {
      name: line(typeof company === 'string' ? company : at(company, 'name')),
      url: homepage(toList(at(company, 'sameAs') ?? at(company, 'url'))[0], base),
      logo_url: mediaUrl(at(company, 'logo', 'url') ?? at(company, 'logo'), base),
    },
    places: toList(members['jobLocation']).flatMap((one) => toPlace(one) ?? []),
    isRemote: toList(members['jobLocationType']).includes('TELECOMMUTE'),
    employmentTypes: toList(members['employmentType']).flatMap((one) => employmentTypesOf(one)),
    pay: parsePay(members['baseSalary']),
    postedAt: moment(members['datePosted']),
    validThrough: moment(members['validThrough']),
    benefits: parsePhrases(members['jobBenefits']),
    skills: parsePhrases(members['skills']),
    qualifications: parsePhrases(members['qualifications']),
    experienceMonths: countOf(at(members, 'experienceRequirements', 'monthsOfExperience'), null)?.value ?? null,
    education: parseEducation(members['educationRequirements'] ?? members['EducationRequirements']),
    industries: parsePhrases(members['industry']),
    isDirectApply: boolean(members['directApply']),
  };
}

/** Normalized employment types by the words of many sites. */
const EMPLOYMENT_TYPES: Readonly<Record<string, string>> = {
  fulltime: 'full_time',
  permanent: 'full_time',
  parttime: 'part_time',
  contract: 'contract',
  contracts: 'contract',
  contractor: 'contract',
  thirdparty: 'third_party',
  temporary: 'temporary',
  temp: 'temporary',
  intern: 'internship',
  internship: 'internship',
  perdiem: 'per_diem',
  volunteer: 'volunteer',
  other: 'other',
};

/** Normalizes `Full-time, Third Party` to `full_time` and `third_party`. Unknown words are returned in lower case. */
export function employmentTypesOf(raw: unknown): readonly string[] {
  const kinds = parsePhrases(raw).map((one) => {
    const plain = one.toLowerCase();
    return EMPLOYMENT_TYPES[plain.replaceAll(/[^a-z]/g, '')] ?? plain.replaceAll(/[\s_-]+/g, '_');
  });
  return [...new Set(kinds)];
}

/** The distinct items of a list, or of a text with commas, semicolons or line breaks. */
export function parsePhrases(raw: unknown): readonly string[] {
  const given = Array.isArray(raw) ? raw : typeof raw === 'string' ? raw.split(/[,;\n]/) : [];
  const words = given.flatMap((one) => parseWording(at(one, 'name') ?? one) ?? []);
  return [...new Set(words)].filter((one) => one.length <= MAX_PHRASE_LENGTH).slice(0, MAX_PHRASES);
}

/** One line of text with decoded HTML entities. */
function parseWording(raw: unknown): string | null {
  const given = line(raw);
  return given === null ? null : line(given.includes('&') ? decodeHTML(given) : given);
}

/** Sanitises HTML, which may be escaped once or twice too often. */
export function descriptionOf(raw: unknown, base: string): RichText | null {
  let given = text(raw);
  for (let round = 0; round < 2 && given !== null && !/<[a-z]/i.test(given) && /&lt;|&amp;/.test(given); round++)
    given = decodeHTML(given);
  return given === null ? null : readRich(given, base);
}

function toPlace(raw: unknown): JobPlace | null {
  const address = at(raw, 'address') ?? raw;
  const place = {
    city: parseWording(typeof address === 'string' ? address : at(address, 'addressLocality')),
    region: parseWording(at(address, 'addressRegion')),
    country: parseWording(at(address, 'addressCountry', 'name') ?? at(address, 'addressCountry')),
    postal_code: line(at(address, 'postalCode')),
    latitude: decimal(at(raw, 'geo', 'latitude') ?? at(raw, 'latitude')),
    longitude: decimal(at(raw, 'geo', 'longitude') ?? at(raw, 'longitude')),
  };
  return Object.values(place).every((one) => one === null) ? null : place;
}

function parsePay(raw: unknown): Pay | null {
  const value = at(raw, 'value');
  const inner = typeof value === 'object' ? value : raw;
  const exact = parsePositiveAmount(at(inner, 'value') ?? value);
  const min = parsePositiveAmount(at(inner, 'minValue')) ?? exact;
  const max = parsePositiveAmount(at(inner, 'maxValue')) ?? exact;
  if (min === null && max === null) return null;
  const currency = line(at(raw, 'currency') ?? at(inner, 'currency'));
  const period = line(at(inner, 'unitText') ?? at(raw, 'unitText'));
  return {
    min,
    max,
    currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null,
    period: period === null ? null : payPeriodOf(period),
  };
}

/** An amount above 0. Pay of 0 means that it is not specified. */
function parsePositiveAmount(raw: unknown): number | null {
  const value = statedAmount(raw);
  return value === null || value === 0 ? null : value;
}

function parseEducation(raw: unknown): string | null {
  const names = toList(raw).flatMap((one) => parseWording(at(one, 'credentialCategory') ?? one) ?? []);
  return names.length === 0 ? null : names.join(', ');
}
