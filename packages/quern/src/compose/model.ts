import { MODEL_LIMITS, type ModelOptions, type ModelClient, createModelClient } from '#llm/client.ts';
import type { Config } from '#kernel/config.ts';
import { toLabelledSamples, type Metric } from '#kernel/metric.ts';

type ModelConfig = Pick<Config, 'QUERN_MODEL_URL' | 'QUERN_MODEL_KEY' | 'QUERN_MODEL' | 'QUERN_MODEL_CONTEXT'>;

/** The model in the settings; null for none. Its client is only loaded with the first question. */
export function openConfiguredModel(
  { QUERN_MODEL_URL: url, QUERN_MODEL_KEY: key, QUERN_MODEL: model, QUERN_MODEL_CONTEXT: contextTokens }: ModelConfig,
  { report, reportText }: Pick<ModelOptions, 'report' | 'reportText'>,
): ModelClient | null {
  if (url === undefined || model === undefined) return null;
  const limits = MODEL_LIMITS;
  return createModelClient({
    url,
    key: key ?? null,
    model,
    contextTokens,
    limits,
    random: Math.random,
    report,
    reportText,
  });
}

/** The metrics of a model: the requests of this process, and their tokens. */
export function buildModelMetrics({ totals }: Pick<ModelClient, 'totals'>): readonly Metric[] {
  return [
    {
      name: 'quern_model_questions_total',
      help: 'Questions to the model, by what came of them',
      kind: 'total',
      labels: ['result'],
      read: async () =>
        toLabelledSamples(new Map(Object.entries({ answered: totals().answered, failed: totals().failed }))),
    },
    {
      name: 'quern_model_tokens_total',
      help: 'Tokens of answered questions to the model: what it read (input) and wrote (output)',
      kind: 'total',
      labels: ['direction'],
      read: async () => toLabelledSamples(new Map(Object.entries({ input: totals().input, output: totals().output }))),
    },
  ];
}
