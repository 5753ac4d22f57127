define linkonce_odr ptr @em.tape.grow(ptr %arena, ptr %old, i64 %used, i64 %capacity, i64 %size) #0 {
entry:
  %0 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %capacity, i64 %size)
  %1 = extractvalue { i64, i1 } %0, 1
  %2 = extractvalue { i64, i1 } %0, 0
  %. = select i1 %1, i64 -1, i64 %2
  %call = call ptr @em.allocate(ptr %arena, i64 %.) #5
  %mul = mul i64 %used, %size
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %call, ptr align 1 %old, i64 %mul, i1 false)
  ret ptr %call
}

declare ptr @em.allocate(ptr, i64) #1

declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

define linkonce_odr void @em.tape.reserve(ptr %arena, ptr %data, ptr %capacity, i64 %used, i64 %count, i64 %size) #4 {
entry:
  %0 = load i64, ptr %capacity, align 8, !tbaa !0
  %cmp.not = icmp ugt i64 %count, %0
  br i1 %cmp.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %entry
  %mul = shl i64 %0, 1
  %cond = call i64 @llvm.umax.i64(i64 %mul, i64 %count)
  %1 = load ptr, ptr %data, align 8, !tbaa !4
  %call = call ptr @em.tape.grow(ptr %arena, ptr %1, i64 %used, i64 %cond, i64 %size) #6
  store ptr %call, ptr %data, align 8, !tbaa !4
  store i64 %cond, ptr %capacity, align 8, !tbaa !0
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %entry
  ret void
}

declare i64 @llvm.umax.i64(i64, i64) #2

attributes #0 = { cold noinline nounwind optsize uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { alwaysinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #5 = { nounwind }
attributes #6 = { cold }

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"any pointer", !2, i64 0}
