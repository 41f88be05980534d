import { ClockCircleOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { formatAbout } from '../lib/format-about.ts'

/** About how long something will take here; a range where nothing like it ended here yet. */
export function ForeseenTime({ seconds, isSure }: { seconds: number; isSure: boolean }) {
  const { t } = useTranslation('queue')
  return (
    <>
      <ClockCircleOutlined aria-hidden />{' '}
      {isSure
        ? t('took', { time: formatAbout(seconds) })
        : t('tookPerhaps', { from: formatAbout(seconds / 2), to: formatAbout(seconds * 2) })}
    </>
  )
}
