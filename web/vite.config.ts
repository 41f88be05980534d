import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { areas } from './build/areas.ts'
import { precompress } from './build/precompress.ts'
import { prerender } from './build/prerender.ts'

const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080'
const proxied = { target: server, changeOrigin: true, ws: true }

export default defineConfig({
  plugins: [react(), areas(), prerender(), precompress({ minBytes: 1024 })],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: { host: '127.0.0.1', proxy: { '/AI': proxied, '/api': proxied } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    sourcemap: true,
    manifest: true,
    // Inlined files would be paid for by pages that never show them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
})
