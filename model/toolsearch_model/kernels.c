// The three inner loops of training. Rows of `table` are vectors; text i has the rows
// tokens[offsets[i]] to tokens[offsets[i + 1] - 1]. Everything is the same for the same number of threads.
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 1024 };

// The row as it would be after rounding to codes -limit..limit with one scale.
static void rounded(const float *row, float *result, int dimensions, int limit) {
  float largest = 1e-12f;
  for (int d = 0; d < dimensions; d++) largest = fmaxf(largest, fabsf(row[d]));
  float scale = largest / limit;
  for (int d = 0; d < dimensions; d++) result[d] = rintf(row[d] / scale) * scale;
}

// Each text's sum of rows at length 1, and what its length was. A limit of 0 rounds nothing.
void pool(const float *table, int dimensions, const int32_t *tokens, const int64_t *offsets, int64_t texts,
          int limit, float *pooled, float *lengths) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < texts; i++) {
    float sum[MAX_DIMENSIONS] = {0}, round[MAX_DIMENSIONS];
    for (int64_t j = offsets[i]; j < offsets[i + 1]; j++) {
      const float *row = table + (int64_t)tokens[j] * dimensions;
      if (limit > 0) {
        rounded(row, round, dimensions, limit);
        row = round;
      }
      for (int d = 0; d < dimensions; d++) sum[d] += row[d];
    }
    float square = 1e-12f;
    for (int d = 0; d < dimensions; d++) square += sum[d] * sum[d];
    lengths[i] = sqrtf(square);
    for (int d = 0; d < dimensions; d++) pooled[i * dimensions + d] = sum[d] / lengths[i];
  }
}

// From the cosines of n queries (rows) with n documents (columns), where i belongs to i, to the gradient of
// the loss by each cosine, in place. Returns the loss: cross entropy over rows and over columns, half each.
double contrast(float *cosines, int64_t n, float temperature) {
  float sharpness = 1 / temperature;
  int threads = omp_get_max_threads();
  float *own = malloc(n * sizeof(float)), *row_sums = malloc(n * sizeof(float));
  float *column_sums = calloc(n, sizeof(float)), *parts = calloc((size_t)threads * n, sizeof(float));
#pragma omp parallel
  {
    float *part = parts + (size_t)omp_get_thread_num() * n;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < n; i++) {
      float *row = cosines + i * n, sum = 0;
      own[i] = row[i];
      for (int64_t j = 0; j < n; j++) {
        row[j] = expf((row[j] - 1) * sharpness);
        sum += row[j];
        part[j] += row[j];
      }
      row_sums[i] = sum;
    }
  }
  for (int t = 0; t < threads; t++)
    for (int64_t j = 0; j < n; j++) column_sums[j] += parts[(size_t)t * n + j];
  double loss = 0;
  for (int64_t i = 0; i < n; i++)
    loss += 0.5 * (logf(row_sums[i]) + logf(column_sums[i])) - (own[i] - 1) * sharpness;
  float step = sharpness / n;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i++) {
    float *row = cosines + i * n;
    for (int64_t j = 0; j < n; j++) row[j] *= 0.5f * step * (1 / row_sums[i] + 1 / column_sums[j]);
    row[i] -= step;
  }
  free(own);
  free(row_sums);
  free(column_sums);
  free(parts);
  return loss / n;
}

// One step of Adam on the rows that the texts have, the others stay ("lazy"). `gradient` is by the pooled
// vectors and is overwritten; `slots` has -1 for each row of the table, before and after.
void update(float *table, float *mean, float *variance, int dimensions, int32_t *slots, const int32_t *tokens,
            const int64_t *offsets, int64_t texts, const float *pooled, const float *lengths, float *gradient,
            float rate, float keep_mean, float keep_variance) {
  // Back through the division by the length.
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < texts; i++) {
    float *g = gradient + i * dimensions;
    const float *y = pooled + i * dimensions;
    float along = 0;
    for (int d = 0; d < dimensions; d++) along += g[d] * y[d];
    for (int d = 0; d < dimensions; d++) g[d] = (g[d] - y[d] * along) / lengths[i];
  }
  int64_t total = offsets[texts];
  int32_t touched = 0, *rows = malloc((total + 1) * sizeof(int32_t));
  for (int64_t j = 0; j < total; j++)
    if (slots[tokens[j]] < 0) {
      slots[tokens[j]] = touched;
      rows[touched++] = tokens[j];
    }
  float *sums = calloc((size_t)(touched + 1) * dimensions, sizeof(float));
#pragma omp parallel
  {
    // Each thread adds up its own rows, over all texts in their order.
    int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int64_t i = 0; i < texts; i++)
      for (int64_t j = offsets[i]; j < offsets[i + 1]; j++) {
        int32_t slot = slots[tokens[j]];
        if (slot % threads != thread) continue;
        float *sum = sums + (size_t)slot * dimensions;
        const float *g = gradient + i * dimensions;
        for (int d = 0; d < dimensions; d++) sum[d] += g[d];
      }
#pragma omp barrier
#pragma omp for schedule(static)
    for (int32_t k = 0; k < touched; k++) {
      float *g = sums + (size_t)k * dimensions;
      size_t place = (size_t)rows[k] * dimensions;
      float *e = table + place, *m = mean + place, *v = variance + place;
      for (int d = 0; d < dimensions; d++) {
        m[d] = keep_mean * m[d] + (1 - keep_mean) * g[d];
        v[d] = keep_variance * v[d] + (1 - keep_variance) * g[d] * g[d];
        e[d] -= rate * m[d] / (sqrtf(v[d]) + 1e-8f);
      }
    }
  }
  for (int32_t k = 0; k < touched; k++) slots[rows[k]] = -1;
  free(sums);
  free(rows);
}
