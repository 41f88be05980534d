/** SHA-256 of a chunk in base64; works on plain http as well, where browsers hide `crypto.subtle`. */
export async function checksum(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : await slowly(bytes)
  return btoa(String.fromCharCode(...digest))
}

async function slowly(bytes: Uint8Array): Promise<Uint8Array> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  return sha256(bytes)
}
