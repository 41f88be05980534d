import { PaperClipOutlined } from '@ant-design/icons'
import { social as limits } from '@neuroloom/contract/limits'
import { type CardKind, cardKinds } from '@neuroloom/contract/social/attachment-kinds'
import { Button, Dropdown } from 'antd'
import { Suspense, use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { FilePicker, type PickedFile } from './file-picker.ts'
import type { Picked } from './use-picked.ts'

const CardPicker = lazyPart(async () => (await import('./card-picker.tsx')).CardPicker)

/** What the dialog does not tell of a file. */
const nothing = { sizeBytes: null, thumbnail: null }
const kinds = ['file', ...cardKinds] as const

type Props = {
  picked: Picked
  /** Before files are referred to: who reads the message may be given a look at them. */
  onFiles?: (files: readonly PickedFile[]) => void
}

/** Refers to files of the cloud and to other things of the member's. */
export function AttachMenu({ picked, onFiles }: Props) {
  const { t } = useTranslation('social-attachments')
  const [asked, setAsked] = useState<CardKind | 'file' | null>(null)
  const Files = use(FilePicker)
  const close = () => setAsked(null)
  const isFull = picked.images.length + picked.cards.length >= limits.attachments
  return (
    <>
      <Dropdown
        trigger={['click']}
        placement="topLeft"
        menu={{
          items: kinds
            .filter((key) => key !== 'file' || Files)
            .map((key) => ({ key, label: t(`of.${key}`) })),
          onClick: ({ key }) => setAsked(kinds.find((one) => one === key) ?? null),
        }}
      >
        <Button
          type="text"
          icon={<PaperClipOutlined aria-hidden />}
          aria-label={t('attach')}
          title={t('attach')}
          disabled={isFull}
        />
      </Dropdown>
      {asked === 'file' && Files && (
        <Files
          title={t('picker.files')}
          onPick={(files) => {
            close()
            for (const { id, kind, name } of files)
              picked.addCard({
                attachment: { kind: 'file', id },
                opened: { kind: 'file', ...nothing, id, name, isFolder: kind === 'folder' },
              })
            onFiles?.(files)
          }}
          onClose={close}
        />
      )}
      {asked !== null && asked !== 'file' && (
        <Suspense>
          <CardPicker
            of={asked}
            onPick={(card) => {
              close()
              picked.addCard({ attachment: { kind: 'card', of: card.of, id: card.id }, opened: card })
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}
