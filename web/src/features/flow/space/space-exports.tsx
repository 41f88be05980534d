import { DownloadOutlined, FileAddOutlined, VideoCameraOutlined } from '@ant-design/icons'
import { figureWidth } from '@neuroloom/contract/flow/options'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { FilmProps } from '../viewer/exports/film-dialog.tsx'
import { captionOf, KeepFigure } from '../viewer/exports/keep-figure.tsx'
import type { Bench } from '../viewer/source.ts'
import type { Painter, Part } from './part.ts'
import { reelsOf } from './reels.ts'
import { type Kind, savePicture } from './save-picture.ts'
import type { T } from './words.ts'

// What films is large, and seldom needed.
const FilmDialog = lazyPart<FilmProps>(
  async () => (await import('../viewer/exports/film-dialog.tsx')).FilmDialog,
  { over: true },
)

type ExportsProps = Omit<Part, 'seed'> & { kind: Kind; onKeepFigure: Bench['onKeepFigure'] }
type Opened = { what: 'report' | 'film'; painter: Painter }

/** The view as a picture, in the report, or as a film. */
export function SpaceExports({ seen, worker, painter, kind, onKeepFigure }: ExportsProps) {
  const { t } = useTranslation(['flow-space', 'flow-view'])
  const { imageClarity } = seen.choice.drawn.settings
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  // As it is seen at the click, whatever turns or plays on meanwhile.
  const open = (what: Opened['what']) => painter.current && setOpened({ what, painter: painter.current })
  return (
    <>
      {onKeepFigure && (
        <Button icon={<FileAddOutlined aria-hidden />} onClick={() => open('report')}>
          {t('flow-view:report.button')}
        </Button>
      )}
      <Button
        icon={<DownloadOutlined aria-hidden />}
        title={t('flow-view:png.about', {
          width: formatNumber(figureWidth(imageClarity)),
          dpi: formatNumber(imageClarity),
        })}
        onClick={() =>
          savePicture({ seen, worker, painter: painter.current, kind }).catch(() =>
            toast.error(t('flow-view:png.failed')),
          )
        }
      >
        {t('flow-view:png.save')}
      </Button>
      <Button icon={<VideoCameraOutlined aria-hidden />} onClick={() => open('film')}>
        {t('film')}
      </Button>
      {opened?.what === 'report' && onKeepFigure && (
        <KeepFigure
          {...{ imageClarity, caption: spaceCaption(t, opened.painter, kind), onKeep: onKeepFigure }}
          paint={opened.painter.paint({})}
          onClose={close}
        />
      )}
      {opened?.what === 'film' && (
        <Suspense fallback={null}>
          <FilmDialog
            seen={{ ...seen, worker }}
            reels={reelsOf(opened.painter)}
            about={{ view: '3d', lines: kind }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

/** The study, which lines, from where they are seen, when, and what colours mean. */
export function spaceCaption(t: T, { shown: { foot, bar }, angles }: Painter, kind: Kind): string {
  const [study = '', ...rest] = foot
  const side = t('flow-view:foot.angles', {
    turn: formatNumber(angles.turn, 1),
    tilt: formatNumber(angles.tilt, 1),
  })
  return captionOf({ foot: [study, `3D, ${t(kind)}`, side, ...rest], bars: [bar] })
}
