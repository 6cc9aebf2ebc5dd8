declare module 'whatwg-mimetype' {
  export class MIMEType {
    static parse(text: string): MIMEType | null;
    readonly type: string;
    readonly subtype: string;
    readonly essence: string;
    readonly parameters: { get(name: string): string | undefined };
    isHTML(): boolean;
    isXML(): boolean;
    isJavaScript(): boolean;
  }
  export function computedMIMEType(bytes: Uint8Array, options?: { readonly contentTypeHeader?: string }): MIMEType;
}
