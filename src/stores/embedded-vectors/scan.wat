;; The inner loops of the vector search (WebAssembly SIMD).
;; `scan-code.ts` holds this file compiled: after a change run `npm run build:scan`.
;; A record belongs to a slot, and all records have the same size. The record of a slot begins at `records` + slot *
;; `size`.
(module
  (memory (import "scan" "memory") 1)

  ;; scores[i] = (query . codes of the record of slots[i]) * the scale of this record, for i below count.
  ;; query: int16, `dimensions` of them, a multiple of 16. A record: int8, `dimensions` of them, then the scale, float32.
  ;; slots: int32. scores: float32. A sum stays below 2^31 while query and codes are within their bounds, see
  ;; scan-kernel.ts.
  (func (export "dots")
    (param $query i32) (param $dimensions i32) (param $records i32) (param $size i32)
    (param $slots i32) (param $count i32) (param $scores i32)
    (local $slots_end i32) (local $code i32) (local $code_end i32) (local $part i32) (local $sum v128)
    (local.set $slots_end (i32.add (local.get $slots) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_slot
        (br_if $done (i32.ge_u (local.get $slots) (local.get $slots_end)))
        (local.set $code (i32.add (local.get $records)
          (i32.mul (local.get $size) (i32.load (local.get $slots)))))
        (local.set $code_end (i32.add (local.get $code) (local.get $dimensions)))
        (local.set $part (local.get $query))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (loop $next_part
          (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
            (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $code)) (v128.load (local.get $part)))
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $code)) (v128.load offset=16 (local.get $part))))))
          (local.set $part (i32.add (local.get $part) (i32.const 32)))
          (local.set $code (i32.add (local.get $code) (i32.const 16)))
          (br_if $next_part (i32.lt_u (local.get $code) (local.get $code_end))))
        (f32.store (local.get $scores)
          (f32.mul
            (f32.load (local.get $code_end))
            (f32.convert_i32_s
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))))
        (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (br $next_slot))))

  ;; differences[i] = bits in which the record of slots[i] differs from the query, for i below count.
  ;; query, a record: `size` bytes, a multiple of 8. slots: int32. differences: uint16.
  (func (export "compare")
    (param $query i32) (param $records i32) (param $size i32)
    (param $slots i32) (param $count i32) (param $differences i32)
    (local $slots_end i32) (local $at i32) (local $end i32) (local $part i32) (local $sum i64)
    (local.set $slots_end (i32.add (local.get $slots) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_slot
        (br_if $done (i32.ge_u (local.get $slots) (local.get $slots_end)))
        (local.set $at (i32.add (local.get $records) (i32.mul (local.get $size) (i32.load (local.get $slots)))))
        (local.set $end (i32.add (local.get $at) (local.get $size)))
        (local.set $part (local.get $query))
        (local.set $sum (i64.const 0))
        (loop $next_part
          (local.set $sum (i64.add (local.get $sum)
            (i64.popcnt (i64.xor (i64.load (local.get $at)) (i64.load (local.get $part))))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (local.set $part (i32.add (local.get $part) (i32.const 8)))
          (br_if $next_part (i32.lt_u (local.get $at) (local.get $end))))
        (i64.store16 (local.get $differences) (local.get $sum))
        (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
        (local.set $differences (i32.add (local.get $differences) (i32.const 2)))
        (br $next_slot)))))
