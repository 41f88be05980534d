/** One of several images shown large, with keys and buttons to the others. Loaded when the first one is opened. */
import { Image } from 'antd'

type Props = {
  urls: readonly string[]
  current: number
  onChange: (next: number) => void
  onClose: () => void
}

export function LargeImages({ urls, current, onChange, onClose }: Props) {
  return (
    <Image.PreviewGroup
      items={[...urls]}
      preview={{
        open: true,
        current,
        onOpenChange: (isOpen) => {
          if (!isOpen) onClose()
        },
        onChange,
      }}
    />
  )
}
