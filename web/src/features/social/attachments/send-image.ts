/** Sends one image to the server, which answers with what stands for it in a message. Told how far it is: `fetch` cannot. */
import { type ErrorName, type ErrorParams, errors } from '@neuroloom/contract/errors'
import { IMAGE_UPLOAD_PATH } from '@neuroloom/contract/social/attachment-kinds'
import type { ImageAttachment } from '@neuroloom/contract/social/attachments'
import { SUCCESS_CODE } from '@neuroloom/contract/success'
import i18next from 'i18next'
import { apiRoot } from '../../../lib/address.ts'
import { headersFor } from '../../../lib/api.ts'

type Options = { signal: AbortSignal; onProgress: (percent: number) => void }
type Answer = { code?: number; message?: string; data?: unknown }

/** Rejects with a sentence for people. */
export function sendImage(file: Blob, { signal, onProgress }: Options): Promise<ImageAttachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', apiRoot + IMAGE_UPLOAD_PATH)
    for (const [name, value] of Object.entries(headersFor(IMAGE_UPLOAD_PATH)))
      request.setRequestHeader(name, value)
    // The bytes alone: a name may tell more than the image.
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total > 0 ? Math.round((100 * loaded) / total) : 0)
    request.onload = () => {
      const answer = parse(request.responseText)
      // What this path answers when it succeeds.
      if (answer.code === SUCCESS_CODE) resolve(answer.data as ImageAttachment)
      else void sentenceOf(answer).then((text) => reject(new Error(text)))
    }
    request.onerror = () => void sentenceOf({}).then((text) => reject(new Error(text)))
    request.onabort = () => reject(new DOMException('The image was taken out', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function parse(text: string): Answer {
  try {
    // The envelope of every answer; each field is checked before it is used.
    return JSON.parse(text) as Answer
  } catch {
    return {}
  }
}

async function sentenceOf({ code, message, data }: Answer): Promise<string> {
  await i18next.loadNamespaces(['common', 'errors'])
  if (code === undefined) return i18next.t('common:failure.network')
  // Object.keys loses the key type that the table has.
  const name = (Object.keys(errors) as ErrorName[]).find((one) => errors[one].code === code)
  const params = typeof data === 'object' && data !== null && 'params' in data ? data.params : {}
  // Numbers and texts by the contract.
  return name === undefined ? (message ?? '') : i18next.t(`errors:${name}`, (params ?? {}) as ErrorParams)
}
