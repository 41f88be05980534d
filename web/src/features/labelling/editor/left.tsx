import type { Step } from '@neuroloom/contract/labelling/steps'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenedReading } from '../journal/opening.ts'
import { useBench, useDesk } from './use-bench.ts'

/** Strokes that the server will not take stay on this computer, and can be had as a file. */
export function Left({ opened }: { opened: OpenedReading }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const saving = useDesk((desk) => desk.saving)
  const [isForgotten, setIsForgotten] = useState(false)
  const { left, reading, kept } = opened
  if (saving.state === 'refused') {
    const all = async () => (await kept?.left(reading.id)) ?? []
    return <Told message={saving.message} steps={all} />
  }
  if (!bench.isWritable && !left) return <Alert banner type="info" title={t('readOnly')} />
  if (!left || isForgotten) return null
  const forget = async () => {
    await kept?.forget(left.steps.map(({ id }) => id))
    setIsForgotten(true)
  }
  return (
    <Told message={left.message} steps={async () => left.steps}>
      <Button size="small" onClick={() => void forget()}>
        {t('left.forget')}
      </Button>
    </Told>
  )
}

type ToldProps = { message: string; steps: () => Promise<readonly Step[]>; children?: React.ReactNode }

function Told({ message, steps, children }: ToldProps) {
  const { t } = useTranslation('labelling')
  const download = async () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(await steps())], { type: 'application/json' }))
    Object.assign(document.createElement('a'), { href: url, download: 'strokes.json' }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <Alert
      banner
      type="error"
      title={t('left.title', { message })}
      action={
        <>
          <Button size="small" onClick={() => void download()}>
            {t('left.download')}
          </Button>
          {children}
        </>
      }
    />
  )
}
