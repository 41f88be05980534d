import { type PytorchTexts, parsePytorchTexts } from '@neuroloom/contract/network/code/texts'

let loading: Promise<PytorchTexts> | null = null

/** How each layer is written in PyTorch, read once, when somebody first looks at the program. */
export function loadPytorchTexts(): Promise<PytorchTexts> {
  loading ??= read().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function read(): Promise<PytorchTexts> {
  const [{ default: text }, ...files] = await Promise.all([
    import('@neuroloom/contract/wire/pytorch.json?raw'),
    import('@neuroloom/contract/wire/program/dicom_pictures.py?raw'),
    import('@neuroloom/contract/wire/program/pictures.py?raw'),
    import('@neuroloom/contract/wire/program/volumes.py?raw'),
    import('@neuroloom/contract/wire/program/trained.py?raw'),
  ])
  return parsePytorchTexts(
    JSON.parse(text),
    files.map((file) => file.default),
  )
}
