import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { uploads } from '../upload/uploads.ts'
import { countOf, type FramesChoice } from './frames-plan.ts'
import { type OpenVideo, openVideo, type VideoEntry } from './open-video.ts'
import { VideoFailure } from './video-failure.ts'

/** Names may be long; folder and number come on top. */
const STEM_LENGTH = 120

type Target = { entry: VideoEntry; parentId: string | null; onDone: () => void }
type Way = { done: number; total: number }

/** A video opened while the dialog is, and the taking of its frames. */
export function useFrames({ entry, parentId, onDone }: Target) {
  const { t } = useTranslation('conversions')
  const [video, setVideo] = useState<OpenVideo | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [way, setWay] = useState<Way | null>(null)
  const work = useRef<AbortController | null>(null)

  // The entry may be told anew by a list while its video is open.
  const { id, name } = entry
  useEffect(() => {
    const end = new AbortController()
    let opened: OpenVideo | null = null
    openVideo({ id, name }, end.signal)
      .then((found) => {
        opened = found
        if (end.signal.aborted) found.close()
        else setVideo(found)
      })
      .catch((error: unknown) => end.signal.aborted || setFailure(error))
    return () => {
      end.abort()
      work.current?.abort()
      opened?.close()
    }
  }, [id, name])

  const isWorking = way !== null
  useEffect(() => {
    if (!isWorking) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isWorking])

  const take = async (choice: FramesChoice) => {
    if (!video) return
    const ended = new AbortController()
    work.current = ended
    const total = countOf(choice, video.facts)
    setFailure(null)
    setWay({ done: 0, total })
    try {
      const { takeFrames } = await import('./take-frames.ts')
      const stem = [...name.replace(/\.[^.]*$/, '')].slice(0, STEM_LENGTH).join('')
      const folder = t('frames.folder', { name: stem })
      const onProgress = (done: number) => setWay({ done, total: Math.max(done, total) })
      const files = await takeFrames(video, choice, { folder, stem, signal: ended.signal, onProgress })
      uploads.add([{ name: folder, isFolder: true, files }], { parentId })
      toast.success(t('frames.done', { count: files.length, shown: formatNumber(files.length) }))
      onDone()
    } catch (error) {
      if (!ended.signal.aborted) setFailure(error)
    } finally {
      setWay(null)
    }
  }
  return { video, way, failure, take, stop: () => work.current?.abort() }
}

type Translate = ReturnType<typeof useTranslation<'conversions'>>['t']

export function failureText(error: unknown, t: Translate): string {
  return error instanceof VideoFailure ? t(`frames.reason.${error.reason}`, error.params) : messageOf(error)
}
