declare module '@cornerstonejs/codec-openjph/wasmjs' {
  type Decoder = {
    getEncodedBuffer(length: number): Uint8Array
    getDecodedBuffer(): Uint8Array
    decode(): void
    delete(): void
  }
  const make: () => Promise<{ HTJ2KDecoder: new () => Decoder }>
  export default make
}
