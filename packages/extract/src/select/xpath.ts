import type { IDocumentWriter, IDomFacade, ISimpleNodesFactory } from 'fontoxpath';
import { loadLibrary } from '#extract/platform/node.ts';
import { SelectionTooCostly, isPageAttribute, isPageNode, type PageNodes, type PageNode } from './nodes.ts';

/** A result of an XPath: an element or text node, or a string (an attribute value or computed text). */
type XPathResult = { readonly node: number } | { readonly text: string };

const MAX_XPATH_LENGTH = 1000;

/**
 * The supported XPath syntax. Loops, ranges, functions as values and constructors are excluded because their work is
 * unlimited.
 */
const ALLOWED_SYNTAX: ReadonlySet<string> = new Set(
  'module mainModule queryBody pathExpr rootExpr stepExpr xpathAxis anyKindTest nameTest Wildcard star NCName QName predicates predicate filterExpr sequenceExpr contextItemExpr functionCallExpr functionName arguments stringConstantExpr integerConstantExpr decimalConstantExpr doubleConstantExpr value andOp orOp equalOp notEqualOp lessThanOp lessThanOrEqualOp greaterThanOp greaterThanOrEqualOp eqOp neOp ltOp leOp gtOp geOp firstOperand secondOperand operand unionOp addOp subtractOp multiplyOp divOp idivOp modOp unaryMinusOp unaryPlusOp textTest commentTest stringConcatenateOp'.split(
    ' ',
  ),
);
/** The functions of XPath 1.0 and some of later versions. Those with regular expressions or documents are excluded. */
const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  'last position count local-name name string concat starts-with ends-with contains substring substring-before substring-after string-length normalize-space translate boolean not true false number sum floor ceiling round lower-case upper-case string-join exists empty abs min max'.split(
    ' ',
  ),
);
/** A comparison of two lists compares each pair, so one operand must be a single value. */
const COMPARISONS: ReadonlySet<string> = new Set(
  'equalOp notEqualOp lessThanOp lessThanOrEqualOp greaterThanOp greaterThanOrEqualOp'.split(' '),
);
const SINGLE_AXES: ReadonlySet<string> = new Set(['attribute', 'self', 'parent']);

const XPATH_OPTIONS = {
  disableCache: true,
  // HTML elements carry no namespace here, so that //div finds them.
  namespaceResolver: (prefix: string) => (prefix === '' ? '' : null),
  logger: { trace: () => undefined },
};

/** Checks an XPath. Returns the problem, or null. */
export function checkXPath(text: string): string | null {
  if (text.length > MAX_XPATH_LENGTH) return `an XPath has at most ${MAX_XPATH_LENGTH} characters`;
  try {
    return checkSyntax(parseSyntax(text));
  } catch (error) {
    const reason = error instanceof Error ? /XPST\d+: (?!Failed to parse)(.+)/.exec(error.message)?.[1] : undefined;
    return `not an XPath${reason === undefined ? '' : `: ${reason}`}`;
  }
}

/**
 * The results of a valid XPath from `scope`, in document order, at most `limit`. Throws SelectionTooCostly. A type
 * error inside the expression selects nothing.
 */
export function selectXPath(page: PageNodes, xpath: string, scope: number, limit: number): readonly XPathResult[] {
  return page.select(() => selectWithin(page, xpath, { scope, limit }));
}

type SelectScope = { readonly scope: number; readonly limit: number };

function selectWithin(page: PageNodes, xpath: string, { scope, limit }: SelectScope): readonly XPathResult[] {
  const { evaluateXPath } = loadLibrary('fontoxpath');
  try {
    const type = evaluateXPath.ALL_RESULTS_TYPE;
    const options = { ...XPATH_OPTIONS, language: evaluateXPath.XPATH_3_1_LANGUAGE };
    const results: readonly unknown[] = evaluateXPath(xpath, page.node(scope), DOM_FACADE, null, type, options);
    return results.slice(0, limit).flatMap(toSelected);
  } catch (error) {
    if (error instanceof SelectionTooCostly) throw error;
    return [];
  }
}

function toSelected(result: unknown): readonly XPathResult[] {
  if (isPageNode(result)) return [{ node: result.id }];
  if (isPageAttribute(result)) return [{ text: result.value }];
  if (typeof result === 'string') return [{ text: result }];
  return typeof result === 'number' || typeof result === 'boolean' ? [{ text: String(result) }] : [];
}

const DOM_FACADE: IDomFacade = {
  getAllAttributes: (node) => (isPageNode(node) ? [...spend(node).page.attributes(node)] : []),
  getAttribute: (node, name) => (isPageNode(node) ? spend(node).page.attribute(node, name) : null),
  getChildNodes: (node) => (isPageNode(node) ? [...spendAll(node.page.children(node))] : []),
  getData: (node) => (isPageNode(node) ? spend(node).page.text(node) : isPageAttribute(node) ? node.value : ''),
  getFirstChild: (node) => (isPageNode(node) ? (spend(node).page.children(node)[0] ?? null) : null),
  getLastChild: (node) => (isPageNode(node) ? (spend(node).page.children(node).at(-1) ?? null) : null),
  getNextSibling: (node) => (isPageNode(node) ? spend(node).page.next(node) : null),
  getParentNode: getParentNode,
  getPreviousSibling: (node) => (isPageNode(node) ? spend(node).page.previous(node) : null),
};

function getParentNode(node: unknown): PageNode | null {
  if (isPageAttribute(node)) return node.owner;
  return isPageNode(node) ? spend(node).page.parent(node) : null;
}

function spend(node: PageNode): PageNode {
  node.page.spend(1);
  return node;
}

function spendAll(nodes: readonly PageNode[]): readonly PageNode[] {
  nodes[0]?.page.spend(nodes.length);
  return nodes;
}

/** An element of the XQueryX form of an expression (W3C XQueryX 3.1). */
type Syntax = { readonly nodeType: number; readonly name: string; readonly children: Syntax[]; text: string };

function parseSyntax(text: string): Syntax {
  const { evaluateXPath, parseScript } = loadLibrary('fontoxpath');
  const root = parseScript(
    text,
    { language: evaluateXPath.XPATH_3_1_LANGUAGE, annotateAst: false },
    NODE_FACTORY,
    DOCUMENT_WRITER,
  );
  return isSyntax(root) ? root : createSyntax('', '');
}

function checkSyntax(syntax: Syntax): string | null {
  if (syntax.name !== '' && !ALLOWED_SYNTAX.has(syntax.name))
    return `${syntax.name.replace(/Expr$/, '')} is not available in xpath`;
  if (syntax.name === 'functionName' && !ALLOWED_FUNCTIONS.has(syntax.text)) {
    return `the function ${syntax.text.slice(0, 60)}() is not available in xpath`;
  }
  if (COMPARISONS.has(syntax.name) && !syntax.children.some(isSingleValue)) {
    return 'a comparison of two lists of nodes is not available in xpath';
  }
  for (const child of syntax.children) {
    const problem = checkSyntax(child);
    if (problem !== null) return problem;
  }
  return null;
}

function isSingleValue(operand: Syntax): boolean {
  if (operand.name === 'functionCallExpr') return true;
  if (operand.name === 'sequenceExpr' || operand.name === 'unionOp') return false;
  if (operand.name === 'rootExpr') return true;
  return operand.name === 'xpathAxis' ? SINGLE_AXES.has(operand.text) : operand.children.every(isSingleValue);
}

function createSyntax(
  name: string,
  text: string,
): Syntax & {
  readonly localName: string;
  readonly namespaceURI: null;
  readonly nodeName: string;
  readonly prefix: null;
  readonly data: string;
  readonly target: string;
  readonly value: string;
} {
  const local = name.slice(name.indexOf(':') + 1);
  return {
    nodeType: 1,
    name: local,
    localName: local,
    nodeName: name,
    namespaceURI: null,
    prefix: null,
    data: text,
    target: '',
    value: text,
    children: [],
    text,
  };
}

const NODE_FACTORY: ISimpleNodesFactory = {
  createAttributeNS: (_namespace, name) => createSyntax(name, ''),
  createCDATASection: (contents) => createSyntax('', contents),
  // The parser adds the expression itself as a comment.
  createComment: () => createSyntax('', ''),
  createElementNS: (_namespace, name) => createSyntax(name, ''),
  createProcessingInstruction: () => createSyntax('', ''),
  createTextNode: (contents) => createSyntax('', contents),
};

const DOCUMENT_WRITER: IDocumentWriter = {
  insertBefore(parent, child) {
    if (!isSyntax(parent) || !isSyntax(child)) return;
    parent.children.push(child);
    parent.text += child.name === '' ? child.text : '';
  },
  removeAttributeNS: () => undefined,
  removeChild: () => undefined,
  setAttributeNS: () => undefined,
  setData: () => undefined,
};

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'children' in value;
}
