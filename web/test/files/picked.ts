/** Files as a person picks them. */

/** Begins and ends as a PNG does. */
const wholePicture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0x49, 0x45, 0x4e, 0x44])

/** A file as a directory picker gives it. */
export function picked(path: string): File {
  const file = new File([wholePicture], path.slice(path.lastIndexOf('/') + 1))
  Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}
