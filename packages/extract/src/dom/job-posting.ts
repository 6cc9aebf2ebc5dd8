import { decodeHTML } from 'entities';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type Pay, findPayPeriod } from '#extract/values/pay.ts';
import { toList } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toNumber,
  toHomepageUrl,
  toLine,
  toMediaUrl,
  toTimestamp,
  parseAmount,
  toText,
} from '#extract/values/raw.ts';
import { listEntities, parseRichText, type RichText } from './elements.ts';
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
export function listJobPostings(page: ParsedPage): readonly JobPosting[] {
  return listEntities(page, 'JobPosting').map(({ members }) => toJobPosting(members, page.url));
}

/** Converts one schema.org `JobPosting`. */
export function toJobPosting(members: JsonObject, base: string): JobPosting {
  const company = members['hiringOrganization'];
  return {
    title: parseWording(members['title']) ?? parseWording(members['name']),
    names: [members['url'], members['@id'], getPath(members, 'identifier', 'value'), members['identifier']].flatMap(
      (one) => toLine(one) ?? [],
    ),
    description: parseDescription(members['description'], base),
    company: {
      name: toLine(typeof company === 'string' ? company : getPath(company, 'name')),
      url: toHomepageUrl(toList(getPath(company, 'sameAs') ?? getPath(company, 'url'))[0], base),
      logo_url: toMediaUrl(getPath(company, 'logo', 'url') ?? getPath(company, 'logo'), base),
    },
    places: toList(members['jobLocation']).flatMap((one) => toPlace(one) ?? []),
    isRemote: toList(members['jobLocationType']).includes('TELECOMMUTE'),
    employmentTypes: toList(members['employmentType']).flatMap((one) => readEmploymentTypes(one)),
    pay: parsePay(members['baseSalary']),
    postedAt: toTimestamp(members['datePosted']),
    validThrough: toTimestamp(members['validThrough']),
    benefits: parsePhrases(members['jobBenefits']),
    skills: parsePhrases(members['skills']),
    qualifications: parsePhrases(members['qualifications']),
    experienceMonths: toCount(getPath(members, 'experienceRequirements', 'monthsOfExperience'), null)?.value ?? null,
    education: parseEducation(members['educationRequirements'] ?? members['EducationRequirements']),
    industries: parsePhrases(members['industry']),
    isDirectApply: toBoolean(members['directApply']),
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
export function readEmploymentTypes(raw: unknown): readonly string[] {
  const kinds = parsePhrases(raw).map((one) => {
    const plain = one.toLowerCase();
    return EMPLOYMENT_TYPES[plain.replaceAll(/[^a-z]/g, '')] ?? plain.replaceAll(/[\s_-]+/g, '_');
  });
  return [...new Set(kinds)];
}

/** The distinct items of a list, or of a text with commas, semicolons or line breaks. */
export function parsePhrases(raw: unknown): readonly string[] {
  const items = Array.isArray(raw) ? raw : typeof raw === 'string' ? raw.split(/[,;\n]/) : [];
  const words = items.flatMap((one) => parseWording(getPath(one, 'name') ?? one) ?? []);
  return [...new Set(words)].filter((one) => one.length <= MAX_PHRASE_LENGTH).slice(0, MAX_PHRASES);
}

/** One line of text with decoded HTML entities. */
function parseWording(raw: unknown): string | null {
  const line = toLine(raw);
  return line === null ? null : toLine(line.includes('&') ? decodeHTML(line) : line);
}

/** Sanitises HTML, which may be escaped once or twice too often. */
export function parseDescription(raw: unknown, base: string): RichText | null {
  let text = toText(raw);
  for (let round = 0; round < 2 && text !== null && !/<[a-z]/i.test(text) && /&lt;|&amp;/.test(text); round++)
    text = decodeHTML(text);
  return text === null ? null : parseRichText(text, base);
}

function toPlace(raw: unknown): JobPlace | null {
  const address = getPath(raw, 'address') ?? raw;
  const place = {
    city: parseWording(typeof address === 'string' ? address : getPath(address, 'addressLocality')),
    region: parseWording(getPath(address, 'addressRegion')),
    country: parseWording(getPath(address, 'addressCountry', 'name') ?? getPath(address, 'addressCountry')),
    postal_code: toLine(getPath(address, 'postalCode')),
    latitude: toNumber(getPath(raw, 'geo', 'latitude') ?? getPath(raw, 'latitude')),
    longitude: toNumber(getPath(raw, 'geo', 'longitude') ?? getPath(raw, 'longitude')),
  };
  return Object.values(place).every((one) => one === null) ? null : place;
}

function parsePay(raw: unknown): Pay | null {
  const value = getPath(raw, 'value');
  const inner = typeof value === 'object' ? value : raw;
  const exact = parsePositiveAmount(getPath(inner, 'value') ?? value);
  const min = parsePositiveAmount(getPath(inner, 'minValue')) ?? exact;
  const max = parsePositiveAmount(getPath(inner, 'maxValue')) ?? exact;
  if (min === null && max === null) return null;
  const currency = toLine(getPath(raw, 'currency') ?? getPath(inner, 'currency'));
  const period = toLine(getPath(inner, 'unitText') ?? getPath(raw, 'unitText'));
  return {
    min,
    max,
    currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null,
    period: period === null ? null : findPayPeriod(period),
  };
}

/** An amount above 0. Pay of 0 means that it is not specified. */
function parsePositiveAmount(raw: unknown): number | null {
  const value = parseAmount(raw);
  return value === null || value === 0 ? null : value;
}

function parseEducation(raw: unknown): string | null {
  const names = toList(raw).flatMap((one) => parseWording(getPath(one, 'credentialCategory') ?? one) ?? []);
  return names.length === 0 ? null : names.join(', ');
}
