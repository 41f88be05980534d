declare module 'seek-bzip' {
  const bzip: { decode(input: Buffer, output: { writeByte(byte: number): void }): void }
  export default bzip
}
