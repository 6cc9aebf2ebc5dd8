declare module 'markdown-it' {
  export type Token = {
    readonly type: string;
    readonly tag: string;
    readonly content: string;
    readonly info: string;
    readonly level: number;
    readonly hidden: boolean;
    readonly map: readonly [number, number] | null;
    readonly children: readonly Token[] | null;
    attrGet(name: string): string | null;
  };
  export default class MarkdownIt {
    constructor(options?: { readonly html?: boolean });
    render(markdown: string): string;
    parse(markdown: string, environment: object): readonly Token[];
  }
}
