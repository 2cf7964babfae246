// Serves a model of this machine with the part of OpenAI's interface that a reader needs, and prints its address.
//
// usage: node serve.mjs MODEL.gguf

import { createServer } from 'node:http'
import { loadModel } from '@fugood/llama.node'

const context = await loadModel({ model: process.argv[2], n_ctx: 8192, n_gpu_layers: 0, n_threads: 2 })

async function complete(asked) {
  const answer = await context.completion({
    messages: asked.messages,
    response_format: asked.response_format,
    n_predict: asked.max_tokens,
    temperature: asked.temperature,
  })
  const reason = answer.stopped_limited ? 'length' : 'stop'
  return {
    model: asked.model,
    choices: [{ message: { role: 'assistant', content: answer.text }, finish_reason: reason }],
    usage: { prompt_tokens: answer.tokens_evaluated, completion_tokens: answer.tokens_predicted },
  }
}

const server = createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const send = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  try {
    send(200, await complete(JSON.parse(Buffer.concat(parts).toString())))
  } catch (error) {
    send(400, { error: { message: String(error) } })
  }
})
server.listen(0, '127.0.0.1', () => console.log(`address: http://127.0.0.1:${server.address().port}/v1`))
