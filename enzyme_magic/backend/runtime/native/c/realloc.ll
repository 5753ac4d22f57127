define linkonce_odr void @em.heap.release.old(ptr %new, ptr %old, ptr %old_shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %new, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @em.heap.release(ptr %old, ptr %old_shadow) #5
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

declare void @em.heap.release(ptr, ptr) #1

define linkonce_odr i64 @em.heap.common(ptr %new, ptr %old, ptr %old_shadow, i64 %bytes) #0 {
entry:
  %tobool = icmp ne ptr %new, null
  %tobool1 = icmp ne ptr %old, null
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %if.end, label %return

if.end:                                           ; preds = %entry
  %call = call i64 @em.heap.size(ptr %old_shadow) #5
  %call.bytes = call i64 @llvm.umin.i64(i64 %call, i64 %bytes)
  br label %return

return:                                           ; preds = %entry, %if.end
  %retval.0 = phi i64 [ %call.bytes, %if.end ], [ 0, %entry ]
  ret i64 %retval.0
}

declare i64 @em.heap.size(ptr) #1

define linkonce_odr ptr @em.heap.reallocate(ptr %old, ptr %old_shadow, i64 %bytes) #0 {
entry:
  %call = call ptr @malloc(i64 %bytes) #6
  %call1 = call i64 @em.heap.common(ptr %call, ptr %old, ptr %old_shadow, i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %call, ptr align 1 %old, i64 %call1, i1 false)
  ret ptr %call
}

declare ptr @malloc(i64) #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

define linkonce_odr ptr @em.shadow.reallocate(ptr %new, ptr %old, ptr %old_shadow, i64 %bytes) #0 {
entry:
  %call = call ptr @em.shadow.allocate(ptr %new, i64 %bytes) #5
  %tobool.not = icmp eq ptr %new, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %call1 = call i64 @em.heap.common(ptr nonnull %new, ptr %old, ptr %old_shadow, i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %call, ptr align 1 %old_shadow, i64 %call1, i1 false)
  call void @em.heap.freed(ptr %old, ptr %old_shadow) #5
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret ptr %call
}

declare ptr @em.shadow.allocate(ptr, i64) #1

declare void @em.heap.freed(ptr, ptr) #1

declare i64 @llvm.umin.i64(i64, i64) #4

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { allocsize(0) "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }
attributes #6 = { nounwind allocsize(0) }
