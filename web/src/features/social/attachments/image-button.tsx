import { PictureOutlined } from '@ant-design/icons'
import { social as limits } from '@neuroloom/contract/limits'
import { Button } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Picked } from './use-picked.ts'

/** Opens the browser's choice of files; the server says what is an image. */
const ACCEPTED = 'image/jpeg,image/png,image/gif,image/bmp'

export function ImageButton({ picked: { images, add } }: { picked: Picked }) {
  const { t } = useTranslation('social-attachments')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        type="text"
        icon={<PictureOutlined aria-hidden />}
        aria-label={t('add')}
        title={t('add')}
        disabled={images.length >= limits.images}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        aria-label={t('choose')}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          // The same file may be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}
