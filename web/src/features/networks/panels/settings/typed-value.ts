import type { ParamValue } from '@neuroloom/contract/network/document/document'
import type { FieldKind } from './field-specs.ts'

/** `undefined` is the default again; null: the text is no value of this kind. */
export type Typed = { value: ParamValue | undefined } | null

type Shape = { kind: FieldKind; hasAuto: boolean }

/** What a typed text means. Whether the value is allowed is asked afterwards. */
export function readTyped(text: string, { kind, hasAuto }: Shape): Typed {
  const written = text.trim()
  if (written === '') return { value: undefined }
  if (written.startsWith('=')) return written.length > 1 ? { value: written } : null
  if (hasAuto && written === 'auto') return { value: 'auto' }
  switch (kind) {
    case 'text':
    case 'enum':
      return { value: written }
    case 'bool':
      return written === 'true' || written === 'false' ? { value: written === 'true' } : null
    case 'ints':
    case 'floats':
      return readList(written)
    case 'axis':
      return /[,;\s×x]/.test(written) ? readList(written) : readNumber(written)
    case 'any':
      return readNumber(written) ?? readTyped(written, { kind: 'bool', hasAuto: false })
    default:
      return readNumber(written)
  }
}

/** A value as one writes it into a field. */
export function writeTyped(value: ParamValue | undefined): string {
  if (value === undefined) return ''
  return Array.isArray(value) ? value.map(String).join(', ') : String(value)
}

/** The arrows of the keyboard change numbers; everything else stays. */
export function stepped(text: string, by: number): string | null {
  const number = /^-?\d+$/.test(text.trim()) ? Number(text) : null
  return number === null ? null : String(number + by)
}

/** Half of the world writes 0,5. */
function readNumber(written: string): Typed {
  const text = /^-?\d+,\d+$/.test(written) ? written.replace(',', '.') : written
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return null
  return { value: Number(text) }
}

function readList(written: string): Typed {
  const parts = written
    .replace(/^\[|\]$/g, '')
    .split(/[\s;×x]+|,\s*/)
    .filter((part) => part !== '')
  const numbers = parts.map((part) => readTyped(part, { kind: 'float', hasAuto: false }))
  const values = numbers.flatMap((number) =>
    number === null || number.value === undefined || Array.isArray(number.value) ? [] : [number.value],
  )
  return values.length === parts.length && values.length > 0 ? { value: values } : null
}
