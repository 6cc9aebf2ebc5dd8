import { toPythonName } from '#console/app/samples.ts';
import type { JsonSchema } from '#transports/schema.ts';
import type { ClientDocument, ClientOperation, InputMember } from './document.ts';
import { PYTHON_HEAD, PythonTypes, toSnakeCase } from './python-types.ts';

const TYPES_HEAD = `${PYTHON_HEAD}"""The records of answers and the types of inputs."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Required, Sequence, TypeAlias, TypedDict, Union

from ._record import Record
`;

/** The module of the routes, that of the types, and that of the methods for asyncio. */
export function toPythonModules(document: ClientDocument): Readonly<Record<'routes' | 'types' | 'operations', string>> {
  const types = new PythonTypes(document.schemas);
  const events = document.events.map(({ type, schema }) => `    "${type}": ${types.answerClass(schema, type)},\n`);
  const classes = document.events.map(({ type, schema }) => types.answerClass(schema, type));
  const methods = document.operations.map((operation) => toMethod(operation, types));
  const used = types.names().filter((name) => new RegExp(`\\b${name}\\b`).test(methods.join('')));
  const union = `#: The body of a webhook's delivery; \`type\` tells which.\nWebhookEvent = Union[${classes.join(', ')}]\n\nWEBHOOK_EVENTS: Dict[str, Any] = {\n${events.join('')}}\n`;
  return {
    routes: toRoutes(document.operations),
    types: `${TYPES_HEAD}\n\n${types.toText()}\n\n${union}`,
    operations: toOperations(methods.join('\n'), used),
  };
}

function toRoutes(operations: readonly ClientOperation[]): string {
  const lines = operations.map(({ name, id, method, path, query, list }) => {
    const members = query.map((one) => `"${one}"`).join(', ');
    const tuple = query.length === 1 ? `(${members},)` : `(${members})`;
    return `${toSnakeCase(name).toUpperCase()} = Route("${id}", "${method}", "${path}", ${tuple}, ${list === null ? 'None' : `"${list.name}"`})\n`;
  });
  return `${PYTHON_HEAD}"""Where each operation is served."""\n\nfrom ._calls import Route\n\n${lines.join('')}`;
}

function toOperations(methods: string, types: readonly string[]): string {
  const typing = [
    'Any',
    'AsyncIterator',
    'Dict',
    'List',
    'Literal',
    'Mapping',
    'Optional',
    'Sequence',
    'Union',
    'overload',
  ];
  const words = typing.filter((word) => new RegExp(`\\b${word}\\b`).test(methods));
  return `${PYTHON_HEAD}"""A method for each operation of the API."""

from __future__ import annotations

from typing import ${words.join(', ')}

from . import _routes as routes
from ._async_caller import AsyncCaller, AsyncFileBody, AsyncJobRun, AsyncRecordList
from ._calls import CallOptions, JobEvent, OnProgress, given
from ._types import (
    ${types.toSorted().join(',\n    ')},
)

DEFAULT = CallOptions()


class AsyncOperations:
    """A method for each operation of the API; None leaves a member out, and NULL sends null."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

${methods}`;
}

type Signature = {
  readonly name: string;
  readonly given: readonly string[];
  readonly returns: string;
  readonly isAsync: boolean;
};

function toMethod(operation: ClientOperation, types: PythonTypes): string {
  const { name, form, answer, list, mayBeEmpty, members } = operation;
  const title = name.slice(0, 1).toUpperCase() + name.slice(1);
  const kind = answer === null ? 'None' : types.answerClass(answer, `${title}Result`);
  const item = list === null ? 'Any' : types.answerClass(list.item, `${title}Item`);
  const route = `routes.${toSnakeCase(name).toUpperCase()}`;
  const sent = toDict(members);
  const doc = toDocstring(operation);
  const parameters = toParameters(members, types);
  const once = { name, given: [...parameters, 'options: CallOptions = DEFAULT'] };
  switch (form) {
    case 'events':
      return `${toHead({ ...once, returns: 'AsyncIterator[JobEvent]', isAsync: false })}${doc}        return self._caller.events(${route}, ${sent}, options)\n`;
    case 'file':
      return `${toHead({ ...once, returns: 'AsyncFileBody', isAsync: true })}${doc}        return await self._caller.file(${route}, ${sent}, options)\n`;
    case 'list':
      return `${toHead({ ...once, returns: `AsyncRecordList[${item}]`, isAsync: false })}${doc}        return AsyncRecordList(self._caller, ${route}, ${sent}, ${item}, options)\n`;
    case 'run':
      return toRun(operation, { given: parameters, kind, item, route, doc, sent });
    case 'work':
      return `${toHead({ ...once, returns: kind, isAsync: true })}${doc}        return await self._caller.work(${route}, ${sent}, ${kind}, options)\n`;
    default: {
      if (answer === null) {
        return `${toHead({ ...once, returns: 'None', isAsync: true })}${doc}        await self._caller.nothing(${route}, ${sent}, options)\n`;
      }
      const returns = mayBeEmpty ? `Optional[${kind}]` : kind;
      const call = `self._caller.${mayBeEmpty ? 'maybe' : 'once'}(${route}, ${sent}, ${kind}, options)`;
      const overloads = toOverloads(operation, { types, returns });
      return `${overloads}${toHead({ ...once, returns, isAsync: true })}${doc}        return await ${call}\n`;
    }
  }
}

type RunParts = {
  readonly given: readonly string[];
  readonly kind: string;
  readonly item: string;
  readonly route: string;
  readonly doc: string;
  readonly sent: string;
};

/** Methods of long operations return a run, which can be resumed by its job id. */
function toRun({ name, id }: ClientOperation, { given, kind, item, route, doc, sent }: RunParts): string {
  const returns = `AsyncJobRun[${kind}, ${item}]`;
  const more = ['on_progress: Optional[OnProgress] = None', 'options: CallOptions = DEFAULT'];
  const begin = toHead({ name, given: [...given, ...more], returns, isAsync: false });
  const resume = toHead({
    name: `resume${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    given: ['job_id: str', '*', 'cursor: Optional[str] = None', ...more],
    returns,
    isAsync: false,
  });
  const made = (how: string): string =>
    `        return AsyncJobRun(\n            self._caller,\n            ${route},\n            (${kind}, ${item}),\n            ${how},\n            on_progress=on_progress,\n            options=options,\n        )\n`;
  return `${begin}${doc}${made(`order={"kind": "${id}", "input": given(${sent})}`)}
${resume}        """Takes up a ${name} that was submitted before, by the id of its job."""
${made('job_id=job_id,\n            cursor=cursor')}`;
}

function toHead({ name, given, returns, isAsync }: Signature): string {
  const star = given.includes('*') || given.length === 0 ? given : addStar(given);
  const lines = star.map((one) => `        ${one},\n`).join('');
  return `    ${isAsync ? 'async ' : ''}def ${toSnakeCase(name)}(\n        self,\n${lines}    ) -> ${returns}:\n`;
}

/** Optional parameters are keyword-only. */
function addStar(given: readonly string[]): readonly string[] {
  const first = given.findIndex((one) => one.includes(' = '));
  return first < 0 ? given : [...given.slice(0, first), '*', ...given.slice(first)];
}

/** Required parameters come first. */
function toParameters(members: readonly InputMember[], types: PythonTypes): readonly string[] {
  const sorted = members.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  return sorted.map(({ name, schema, isRequired }) => toParameter(name, types.inputType(schema), isRequired));
}

function toParameter(name: string, type: string, isRequired: boolean): string {
  const optional = type.startsWith('Optional[') ? type : `Optional[${type}]`;
  return isRequired ? `${toPythonName(name)}: ${type}` : `${toPythonName(name)}: ${optional} = None`;
}

function toDict(members: readonly InputMember[]): string {
  if (members.length === 0) return '{}';
  return `{${members.map(({ name }) => `"${name}": ${toPythonName(name)}`).join(', ')}}`;
}

/** One signature for each kind, for operations that run other operations. */
function toOverloads(
  { name, members, forms }: ClientOperation,
  { types, returns }: { readonly types: PythonTypes; readonly returns: string },
): string {
  return [...forms.values()]
    .map((form) => {
      const own = members.map((member) => ({ ...member, schema: getMember(form, member) }));
      const parameters = [...toParameters(own, types), 'options: CallOptions = DEFAULT'];
      return `    @overload\n${toHead({ name, given: parameters, returns, isAsync: true }).trimEnd()} ...\n\n`;
    })
    .join('');
}

function getMember(form: JsonSchema, { name, schema }: InputMember): JsonSchema {
  const { properties } = form;
  const found: unknown = typeof properties === 'object' && properties !== null ? Reflect.get(properties, name) : null;
  return typeof found === 'object' && found !== null ? { ...found } : schema;
}

function toDocstring({ summary, members }: ClientOperation): string {
  const lines = members.flatMap(({ name, schema: { description } }) =>
    typeof description === 'string' ? [`        ${toPythonName(name)}: ${description.replaceAll('\\', '\\\\')}\n`] : [],
  );
  if (lines.length === 0) return `        """${summary}."""\n`;
  return `        """${summary}.\n\n${lines.join('')}        """\n`;
}

const SYNC: readonly (readonly [RegExp, string])[] = [
  [/^(\s*)async (def|for|with)\b/gm, '$1$2'],
  [/\bawait /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(iter|enter|exit)__\b/g, '__$1__'],
  [/\b_async_/g, '_sync_'],
];

/** The synchronous version of a module, without asyncio. */
export function toSyncModule(text: string): string {
  const plain = text.startsWith(PYTHON_HEAD) ? text.slice(PYTHON_HEAD.length) : text;
  return PYTHON_HEAD + SYNC.reduce((changed, [pattern, by]) => changed.replaceAll(pattern, by), plain);
}
