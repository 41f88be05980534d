import { FileUnknownOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import styles from './viewer.module.css'

type Problem = 'unplayable' | 'soundOnly' | 'unreachable'

/** A video, or what to do where this browser cannot play it: what a name promises says little about what is packed. */
export function VideoView({ url }: { url: string }) {
  const { t } = useTranslation('files')
  const [problem, setProblem] = useState<Problem | null>(null)
  if (problem !== null)
    return (
      <EmptyState
        icon={<FileUnknownOutlined aria-hidden />}
        title={t(problem === 'unreachable' ? 'view.broken' : 'view.unsupported')}
        text={t(`view.video.${problem}`)}
      />
    )
  return (
    // biome-ignore lint/a11y/useMediaCaption: the member's own recording; there are no captions
    <video
      className={styles.video}
      src={url}
      controls
      onError={({ currentTarget: { error } }) =>
        setProblem(error?.code === LINE_BROKE ? 'unreachable' : 'unplayable')
      }
      onLoadedMetadata={({ currentTarget: { videoWidth } }) => {
        // Browsers play the sound alone, before a black box, and call that no error.
        if (videoWidth === 0) setProblem('soundOnly')
      }}
    />
  )
}

/** `MediaError.MEDIA_ERR_NETWORK`. */
const LINE_BROKE = 2
