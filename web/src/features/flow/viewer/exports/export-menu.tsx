import { DownloadOutlined, FileAddOutlined, MoreOutlined } from '@ant-design/icons'
import { figureWidth } from '@neuroloom/contract/flow/options'
import { Button, Dropdown } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { toast } from '../../../../lib/toast.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import type { Bench } from '../source.ts'
import { beatReel } from './beat-reel.ts'
import { type Exporting, saveChoices, savePicture } from './exporting.ts'
import type { FilmProps } from './film-dialog.tsx'
import { captionOf, KeepFigure } from './keep-figure.tsx'
import { paintFigure } from './picture-png.ts'

// What packs and films is large, and seldom needed.
const FilmDialog = lazyPart<FilmProps>(async () => (await import('./film-dialog.tsx')).FilmDialog, {
  over: true,
})
const VtkDialog = lazyPart(async () => (await import('./vtk-dialog.tsx')).VtkDialog, { over: true })

type Opened = { what: 'film' | 'vtk' | 'report'; seen: Exporting }
type MenuProps = {
  imageClarity: number
  hasTime: boolean
  /** What is seen now; null until there is a picture. */
  exporting: { readonly current: Exporting | null }
  onKeepFigure: Bench['onKeepFigure']
}

/** The picture as a file or in the report, and everything else that can be taken along. */
export function ExportMenu({ imageClarity, hasTime, exporting, onKeepFigure }: MenuProps) {
  const { t } = useTranslation('flow-view')
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const open = (what: Opened['what']) => exporting.current && setOpened({ what, seen: exporting.current })
  const save = (write: (seen: Exporting) => Promise<void>, failure: string) => {
    if (exporting.current) write(exporting.current).catch(() => toast.error(failure))
  }
  const items = [
    ...(hasTime ? [{ key: 'film', label: t('film.menu'), onClick: () => open('film') }] : []),
    { key: 'vtk', label: t('vtk.menu'), onClick: () => open('vtk') },
    { key: 'json', label: t('json.menu'), onClick: () => save(saveChoices, t('json.failed')) },
  ]
  return (
    <>
      {onKeepFigure && (
        <Button icon={<FileAddOutlined aria-hidden />} onClick={() => open('report')}>
          {t('report.button')}
        </Button>
      )}
      <Button
        icon={<DownloadOutlined aria-hidden />}
        title={t('png.about', {
          width: formatNumber(figureWidth(imageClarity)),
          dpi: formatNumber(imageClarity),
        })}
        onClick={() => save(savePicture, t('png.failed'))}
      >
        {t('png.save')}
      </Button>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
        <Button icon={<MoreOutlined aria-hidden />} aria-label={t('export.more')} title={t('export.more')} />
      </Dropdown>
      {opened && (
        <Suspense fallback={null}>
          <Dialog {...opened} {...{ imageClarity, onKeepFigure }} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

type DialogProps = Opened & Pick<MenuProps, 'imageClarity' | 'onKeepFigure'> & { onClose: () => void }

function Dialog({ what, seen, imageClarity, onKeepFigure, onClose }: DialogProps) {
  switch (what) {
    case 'film':
      return <FilmDialog seen={seen} reels={[beatReel(seen)]} onClose={onClose} />
    case 'vtk':
      return <VtkDialog seen={seen} onClose={onClose} />
    case 'report': {
      if (!onKeepFigure) return null
      const figure = seen.figureFor(seen.picture)
      return (
        <KeepFigure
          {...{ imageClarity, onClose, caption: captionOf(figure), onKeep: onKeepFigure }}
          paint={(canvas) => paintFigure(canvas, figure)}
        />
      )
    }
    default:
      return what satisfies never
  }
}
