/** What a member chose to go with a message or a post. Images are on their way at once; all can be taken out until it is sent. */
import { social as limits } from '@neuroloom/contract/limits'
import type { ImageAttachment, Opened } from '@neuroloom/contract/social/attachments'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { newRequestId } from '../request-id.ts'
import { type CardAttachment, cardKey } from './references.ts'
import { sendImage } from './send-image.ts'

export type PickedImage = {
  key: string
  file: File
  /** Of the file as it lies here. */
  url: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  percent: number
  /** Why it failed, in words. */
  reason: string
  attachment: ImageAttachment | null
}

/** A thing that is referred to, as it is shown until it is sent. */
type PickedCard = { attachment: CardAttachment; opened: Opened }

export type Picked = ReturnType<typeof usePicked>

export function usePicked() {
  const { t } = useTranslation(['social-attachments', 'errors'])
  const [images, setImages] = useState<readonly PickedImage[]>([])
  const [cards, setCards] = useState<readonly PickedCard[]>([])
  const latest = useRef(images)
  const stops = useRef(new Map<string, AbortController>())
  const set = (make: (images: readonly PickedImage[]) => readonly PickedImage[]) => {
    latest.current = make(latest.current)
    setImages(latest.current)
  }
  const change = (key: string, changes: Partial<PickedImage>) =>
    set((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  /** One after the other: the first ones are there sooner, and the server looks at one at a time. */
  const sendNext = async (): Promise<void> => {
    const next = latest.current.find(({ state }) => state === 'waiting')
    if (!next || stops.current.size > 0) return
    const { key, file } = next
    const stop = new AbortController()
    stops.current.set(key, stop)
    change(key, { state: 'sending', percent: 0, reason: '' })
    try {
      const onProgress = (percent: number) => change(key, { percent })
      const attachment = await sendImage(file, { signal: stop.signal, onProgress })
      change(key, { state: 'done', percent: 100, attachment })
    } catch (error) {
      change(key, { state: 'failed', reason: error instanceof Error ? error.message : '' })
    } finally {
      stops.current.delete(key)
    }
    await sendNext()
  }

  const add = (files: readonly File[]) => {
    const room = Math.max(0, limits.images - latest.current.length)
    if (files.length > room) toast.warning(t('most', { count: limits.images }))
    const added = files.slice(0, room).map((file): PickedImage => {
      const isTooLarge = file.size > limits.imageBytes
      const reason = isTooLarge
        ? t('errors:image_bytes', { megabytes: Math.round(limits.imageBytes / 1024 ** 2) })
        : ''
      return {
        ...{ key: newRequestId(), file, url: URL.createObjectURL(file), percent: 0, reason },
        ...{ state: isTooLarge ? 'failed' : 'waiting', attachment: null },
      }
    })
    set((all) => [...all, ...added])
    void sendNext()
  }
  const remove = (key: string) => {
    stops.current.get(key)?.abort()
    const gone = latest.current.find((one) => one.key === key)
    if (gone) URL.revokeObjectURL(gone.url)
    set((all) => all.filter((one) => one.key !== key))
  }
  const clear = () => {
    for (const { key } of latest.current) remove(key)
    setCards([])
  }
  const isSame = (one: CardAttachment, other: CardAttachment) => cardKey(one) === cardKey(other)
  const removeCard = (gone: CardAttachment) =>
    setCards((all) => all.filter(({ attachment }) => !isSame(attachment, gone)))
  const addCard = (added: PickedCard) =>
    setCards((all) =>
      [...all.filter(({ attachment }) => !isSame(attachment, added.attachment)), added].slice(
        0,
        limits.attachments - latest.current.length,
      ),
    )
  useEffect(() => {
    const running = stops.current
    return () => {
      for (const { url } of latest.current) URL.revokeObjectURL(url)
      // Those that wait are not sent by a page that has been left.
      latest.current = []
      for (const stop of running.values()) stop.abort()
    }
  }, [])

  return {
    images,
    cards,
    addCard,
    removeCard,
    add,
    remove,
    clear,
    retry: (key: string) => {
      change(key, { state: 'waiting', reason: '' })
      void sendNext()
    },
    /** Of images those that arrived. */
    attachments: [
      ...images.flatMap(({ attachment }) => attachment ?? []),
      ...cards.map(({ attachment }) => attachment),
    ],
    /** Sent now, a message would lack some of them. */
    isIncomplete: images.some(({ state }) => state !== 'done'),
  }
}
