import { videoSize } from '@neuroloom/contract/flow/options'
import { Alert, Button, Modal, Progress, Radio } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../../../lib/download.ts'
import { formatNumber } from '../../../../lib/format.ts'
import { NumberField } from '../../../../ui/number-field.tsx'
import type { FlowWorker } from '../numbers/ask-worker.ts'
import styles from '../viewer.module.css'
import type { Reel, Watch } from './beat-reel.ts'
import { findOrigin } from './exporting.ts'
import { type FilmAsk, type FilmContainer, FilmFailure, makeFilm, pictureZip } from './film.ts'
import { jsonOf, originText, type Seen, told } from './origin.ts'
import { figureSize } from './picture-png.ts'
import { useMaking } from './use-making.ts'

type Format = FilmContainer | 'auto' | 'pictures'
type Pace = 'even' | 'true'
type Wanted = { reel: Reel; loops: number; pace: Pace; format: Format }

export type FilmProps = {
  seen: Seen & { worker: FlowWorker }
  /** What may be filmed: the first at first. */
  reels: readonly [Reel, ...Reel[]]
  /** What else the file tells of what is shown. */
  about?: Record<string, unknown>
  onClose: () => void
}

const EVEN_SECONDS = 0.1
const MOST_LOOPS = 20
/** Of all that is done: the pictures themselves. */
const PICTURES_SHARE = 0.4

/** The beat as a film, or the volume as it turns. */
export function FilmDialog({ seen, reels, about = {}, onClose }: FilmProps) {
  const { t } = useTranslation('flow-view')
  const [wanted, setWanted] = useState<Wanted>({ reel: reels[0], loops: 3, pace: 'even', format: 'auto' })
  const { making, start, stop } = useMaking()
  const isMaking = making.state === 'making'
  const begin = (format: Format) =>
    start({
      make: async (onProgress, signal) => {
        const ask = await filmAsk({ seen, about }, { ...wanted, format }, { onProgress, signal })
        if (format === 'pictures') return { blob: await pictureZip(ask), ending: 'pictures.zip' }
        const { blob, container } = await makeFilm(ask)
        return { blob, ending: container }
      },
      onMade: ({ blob, ending }) => {
        const isZip = ending.endsWith('.zip')
        saveBlob(`${seen.source.name}-flow${isZip ? '-' : '.'}${ending}`, blob)
        onClose()
      },
    })
  const { count } = wanted.reel
  const seconds = secondsOf(wanted)
  const title = t(reels.length > 1 ? 'film.titleSpace' : 'film.title')
  const size = videoSize(figureSize(seen.choice.drawn.settings.imageClarity))
  const frames = count * wanted.loops
  return (
    <Modal
      open
      centered
      width={480}
      title={title}
      onCancel={onClose}
      footer={
        making.state === 'failed' ? null : (
          <>
            <Button onClick={isMaking ? stop : onClose}>{t('export.cancel')}</Button>
            <Button type="primary" loading={isMaking} onClick={() => void begin(wanted.format)}>
              {t('film.make')}
            </Button>
          </>
        )
      }
    >
      <div className={styles.stack}>
        {making.state === 'failed' ? (
          <FilmFailed
            error={making.error}
            onPictures={() => void begin('pictures')}
            onAgain={() => void begin(wanted.format)}
          />
        ) : (
          <FilmFields {...{ wanted, reels, isMaking }} set={(patch) => setWanted({ ...wanted, ...patch })} />
        )}
        <p className={styles.soft}>
          {wanted.format === 'pictures'
            ? t('film.pictures', { count })
            : t('film.about', {
                ...{ frames: formatNumber(frames), seconds: formatNumber(frames * seconds, 1) },
                ...{ width: size.width, height: size.height },
              })}
        </p>
        {isMaking && <Progress percent={Math.floor(100 * making.share)} aria-label={title} />}
      </div>
    </Modal>
  )
}

type FieldsProps = Pick<FilmProps, 'reels'> & {
  wanted: Wanted
  isMaking: boolean
  set: (patch: Partial<Wanted>) => void
}

const paces: Pace[] = ['even', 'true']
const formats: Format[] = ['auto', 'mp4', 'webm', 'pictures']

function FilmFields({ wanted, reels, isMaking, set }: FieldsProps) {
  const { t } = useTranslation('flow-view')
  const id = useId()
  return (
    <>
      {reels.length > 1 && (
        <Radio.Group
          aria-label={t('film.what')}
          disabled={isMaking}
          value={wanted.reel.name}
          onChange={({ target }) =>
            set({ reel: reels.find(({ name }) => name === target.value) ?? reels[0] })
          }
          options={reels.map(({ name }) => ({ value: name, label: t(`film.reels.${name}`) }))}
        />
      )}
      <div className={styles.toggle}>
        <label htmlFor={id}>{t('film.loops')}</label>
        <NumberField
          id={id}
          min={1}
          max={MOST_LOOPS}
          precision={0}
          disabled={isMaking || wanted.format === 'pictures'}
          value={wanted.loops}
          onChange={(loops) => loops !== null && set({ loops })}
        />
      </div>
      {wanted.reel.seconds !== null && (
        <fieldset className={styles.group} disabled={isMaking}>
          <legend>{t('time.pace')}</legend>
          <Radio.Group
            className={styles.radios ?? ''}
            disabled={isMaking || wanted.format === 'pictures'}
            value={wanted.pace}
            onChange={({ target }) => set({ pace: target.value })}
            options={paces.map((value) => ({ value, label: t(`film.pace.${value}`) }))}
          />
        </fieldset>
      )}
      <fieldset className={styles.group}>
        <legend>{t('film.format')}</legend>
        <Radio.Group
          className={styles.radios ?? ''}
          disabled={isMaking}
          value={wanted.format}
          onChange={({ target }) => set({ format: target.value })}
          options={formats.map((value) => ({ value, label: t(`film.formats.${value}`) }))}
        />
      </fieldset>
    </>
  )
}

/** As players call them. */
const containerNames = { mp4: 'MP4', webm: 'WebM' } as const
const codecNames = { avc: 'H.264', vp9: 'VP9', vp8: 'VP8' } as const

type FailedProps = { error: unknown; onPictures: () => void; onAgain: () => void }

function FilmFailed({ error, onPictures, onAgain }: FailedProps) {
  const { t } = useTranslation('flow-view')
  const causes =
    error instanceof FilmFailure
      ? error.causes.map(
          ({ container, codec, message }) =>
            `${containerNames[container]}, ${codecNames[codec]}: ${message ?? t('film.unsupported')}`,
        )
      : [String(error)]
  return (
    <Alert
      type="error"
      showIcon
      title={t('film.failed')}
      description={
        <div className={styles.stack}>
          <p>{t('film.why')}</p>
          <ul className={styles.causes}>
            {causes.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
          <div className={styles.row}>
            <Button type="primary" onClick={onPictures}>
              {t('film.asPictures')}
            </Button>
            <Button onClick={onAgain}>{t('failed.again')}</Button>
          </div>
        </div>
      }
    />
  )
}

const secondsOf = ({ reel, pace }: Wanted): number =>
  pace === 'true' && reel.seconds !== null ? reel.seconds : EVEN_SECONDS

type Asked = Pick<FilmProps, 'seen'> & { about: Record<string, unknown> }

/** With all pictures at hand. */
async function filmAsk({ seen, about }: Asked, wanted: Wanted, watch: Watch): Promise<FilmAsk> {
  const { onProgress, signal } = watch
  const paints = await wanted.reel.paints({
    signal,
    onProgress: (share) => onProgress(PICTURES_SHARE * share),
  })
  const origin = await findOrigin(seen)
  const { settings } = seen.choice.drawn
  const { loops, format } = wanted
  return {
    ...{ paints, loops, signal, seconds: secondsOf(wanted), title: seen.source.name },
    imageClarity: settings.imageClarity,
    container: format === 'mp4' || format === 'webm' ? format : null,
    comment: `${originText(origin)} | ${JSON.stringify(settings)}`,
    options: jsonOf({ ...told(seen, origin), ...about }),
    onProgress: (share) => onProgress(PICTURES_SHARE + (1 - PICTURES_SHARE) * share),
  }
}
