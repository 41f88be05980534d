import {
  CaretRightOutlined,
  PauseOutlined,
  StepBackwardOutlined,
  StepForwardOutlined,
} from '@ant-design/icons'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './editor.module.css'
import { useBench, useDesk } from './use-bench.ts'

/** The frames of a video, one by one or going by; none is left out. */
export function Film({ rate }: { rate: number }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const frame = useDesk(({ place }) => place[2])
  const isPlaying = useDesk((desk) => desk.isPlaying)
  const last = bench.body.size[2] - 1
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => {
      const now = bench.desk.getState().place[2]
      if (now >= last) bench.desk.setState({ isPlaying: false })
      else if (bench.source.isReady?.(now)) bench.goTo(2, now + 1)
    }, 1000 / rate)
    return () => clearInterval(timer)
  }, [bench, isPlaying, last, rate])
  const play = () => {
    if (frame >= last) bench.goTo(2, 0)
    bench.desk.setState({ isPlaying: !isPlaying })
  }
  const step = (by: number) => {
    bench.desk.setState({ isPlaying: false })
    bench.goTo(2, frame + by)
  }
  return (
    <>
      <Step
        name={t('film.before')}
        icon={<StepBackwardOutlined />}
        isOff={frame === 0}
        onClick={() => step(-1)}
      />
      <Step
        name={t(isPlaying ? 'film.pause' : 'film.play')}
        icon={isPlaying ? <PauseOutlined /> : <CaretRightOutlined />}
        onClick={play}
      />
      <Step
        name={t('film.next')}
        icon={<StepForwardOutlined />}
        isOff={frame === last}
        onClick={() => step(1)}
      />
    </>
  )
}

type StepProps = { name: string; icon: ReactNode; isOff?: boolean; onClick: () => void }

function Step({ name, icon, isOff = false, onClick }: StepProps) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={name}
      title={name}
      disabled={isOff}
      onClick={onClick}
    >
      {icon}
    </button>
  )
}
