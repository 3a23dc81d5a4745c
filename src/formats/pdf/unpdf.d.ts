// The part of unpdf that we use. Its own types need those of a DOM and of a canvas.

declare module 'unpdf' {
  export interface PdfTextItem {
    readonly str: string;
    readonly fontName: string;
    readonly width: number;
    /** Scale, skew and position: the last two are x and y from the lower left corner. */
    readonly transform: readonly number[];
  }

  export interface PdfTextChunk {
    readonly items: ReadonlyArray<Partial<PdfTextItem>>;
    readonly styles: Readonly<Record<string, { readonly fontFamily: string }>>;
  }

  /** What a page draws, some operators at a time. */
  export interface PdfOperators {
    readonly fnArray: readonly number[];
    readonly argsArray: ReadonlyArray<readonly unknown[] | null>;
  }

  interface PdfStream<T> {
    getReader(): { read(): Promise<{ readonly value?: T | undefined }> };
  }

  export interface PdfPage {
    streamTextContent(): PdfStream<PdfTextChunk>;
    /** Not part of the published interface, which has no stream of operators. */
    readonly _transport: {
      readonly messageHandler: {
        sendWithStream(name: 'GetOperatorList', request: object, queue: object): PdfStream<PdfOperators>;
      };
    };
    cleanup(): void;
  }

  export interface PdfOutlineItem {
    readonly title: string;
    /** A name, or a page and a position on it. */
    readonly dest: unknown;
    readonly items: readonly PdfOutlineItem[];
  }

  export interface PdfFile {
    readonly numPages: number;
    getPage(number: number): Promise<PdfPage>;
    getOutline(): Promise<readonly PdfOutlineItem[] | null>;
    getDestination(name: string): Promise<unknown>;
    /** The number of a page that was read. */
    cachedPageNumber(ref: object): number | null;
    getMetadata(): Promise<{ readonly info: Readonly<Record<string, unknown>> }>;
    readonly loadingTask: { destroy(): Promise<void> };
  }

  export function getDocumentProxy(data: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<PdfFile>;
}
