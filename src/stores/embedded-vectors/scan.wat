;; Dot products of one query with many vectors of int8, 64 dimensions a step (WebAssembly SIMD).
;; `scan-code.ts` holds this file compiled: after a change run `npm run build:scan`.
(module
  (memory (import "scan" "memory") 1)

  ;; scores[i] = (query . codes[slots[i]]) * scales[slots[i]], for i below count.
  ;; query: int16, `stride` of them. codes: int8, `stride` of them a slot. scales, scores: float32. slots: int32.
  ;; `stride` is a multiple of 64. A sum stays below 2^31 while query and vector are within their bounds, see scan-kernel.ts.
  (func (export "dots")
    (param $query i32) (param $codes i32) (param $stride i32) (param $scales i32)
    (param $slots i32) (param $count i32) (param $scores i32)
    (local $slots_end i32) (local $slot i32) (local $code i32) (local $code_end i32) (local $part i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $slots_end (i32.add (local.get $slots) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_slot
        (br_if $done (i32.ge_u (local.get $slots) (local.get $slots_end)))
        (local.set $slot (i32.load (local.get $slots)))
        (local.set $code (i32.add (local.get $codes) (i32.mul (local.get $slot) (local.get $stride))))
        (local.set $code_end (i32.add (local.get $code) (local.get $stride)))
        (local.set $part (local.get $query))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $next_step
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $code)) (v128.load (local.get $part)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $code)) (v128.load offset=16 (local.get $part)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $code)) (v128.load offset=32 (local.get $part)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $code)) (v128.load offset=48 (local.get $part)))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=32 (local.get $code)) (v128.load offset=64 (local.get $part)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=40 (local.get $code)) (v128.load offset=80 (local.get $part)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=48 (local.get $code)) (v128.load offset=96 (local.get $part)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=56 (local.get $code)) (v128.load offset=112 (local.get $part)))))
          (local.set $part (i32.add (local.get $part) (i32.const 128)))
          (local.set $code (i32.add (local.get $code) (i32.const 64)))
          (br_if $next_step (i32.lt_u (local.get $code) (local.get $code_end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b))
          (i32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $scores)
          (f32.mul
            (f32.load (i32.add (local.get $scales) (i32.shl (local.get $slot) (i32.const 2))))
            (f32.convert_i32_s
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
                (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))))
        (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (br $next_slot)))))
