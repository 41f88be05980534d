import { useEffect, useState } from 'react'
import { Loading } from '../loading.tsx'
import styles from './qr-code.module.css'

/** A QR code, 150 × 150 (specification, section 9), dark on light in either look: some scanners read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let isMounted = true
    void import('qrcode').then(async ({ default: qr }) => {
      const svg = await qr.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
      if (isMounted) setAddress(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`)
    })
    return () => {
      isMounted = false
    }
  }, [text])
  if (address === null) return <Loading count={1} />
  return <img src={address} width={150} height={150} alt={label} className={styles.qr} />
}
