/** Made at build time by build/pdf-data.ts. */
declare module 'virtual:pdf-data' {
  /** Address of the folder with character maps, fonts and decoders; ends with a slash. */
  export const pdfData: string
}
