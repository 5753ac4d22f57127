define linkonce_odr noalias ptr @em.allocate(ptr %arena, i64 %bytes) #0 {
entry:
  %0 = load ptr, ptr %arena, align 8, !tbaa !0
  %end = getelementptr inbounds nuw i8, ptr %arena, i64 8
  %1 = load ptr, ptr %end, align 8, !tbaa !8
  %2 = ptrtoint ptr %1 to i64
  %3 = ptrtoint ptr %0 to i64
  %sub = sub i64 %2, %3
  %cmp = icmp ugt i64 %bytes, %sub
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call noalias align 64 ptr @em.run.arena_grow(ptr nonnull %arena, i64 %bytes) #5
  br label %cleanup

if.end:                                           ; preds = %entry
  %add = add i64 %bytes, 63
  %and = and i64 %add, -64
  %add.ptr = getelementptr inbounds nuw i8, ptr %0, i64 %and
  store ptr %add.ptr, ptr %arena, align 8, !tbaa !0
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi ptr [ %call, %if.then ], [ %0, %if.end ]
  ret ptr %retval.0
}

declare noalias ptr @em.run.arena_grow(ptr, i64) #1

define linkonce_odr ptr @em.mark(ptr %arena) #0 {
entry:
  %0 = load ptr, ptr %arena, align 8, !tbaa !0
  ret ptr %0
}

define linkonce_odr void @em.release(ptr %arena, ptr %mark) #0 {
entry:
  call void @em.run.arena_unwind(ptr %arena, ptr %mark) #6
  ret void
}

declare void @em.run.arena_unwind(ptr, ptr) #2

define linkonce_odr void @em.check_stack(ptr %arena, i64 %bytes) #0 {
entry:
  %0 = call ptr @llvm.frameaddress.p0(i32 0)
  %1 = ptrtoint ptr %0 to i64
  %stack_limit = getelementptr inbounds nuw i8, ptr %arena, i64 80
  %2 = load i64, ptr %stack_limit, align 8, !tbaa !9
  %add = add i64 %2, %bytes
  %cmp.not = icmp ult i64 %add, %1
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %stack_size = getelementptr inbounds nuw i8, ptr %arena, i64 88
  %3 = load i64, ptr %stack_size, align 8, !tbaa !10
  call void @em.run.too_deep(i64 %3) #7
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare ptr @llvm.frameaddress.p0(i32 immarg) #3

declare void @em.run.too_deep(i64) #4

define linkonce_odr void @em.check_primal_stack(i64 %bytes) #0 {
entry:
  %call = call ptr @em.run.arena_current() #6
  %0 = call ptr @llvm.frameaddress.p0(i32 0)
  %1 = ptrtoint ptr %0 to i64
  %stack_limit.i = getelementptr inbounds nuw i8, ptr %call, i64 80
  %2 = load i64, ptr %stack_limit.i, align 8, !tbaa !9
  %add.i = add i64 %2, %bytes
  %cmp.i.not = icmp ult i64 %add.i, %1
  br i1 %cmp.i.not, label %em.check_stack.exit, label %if.then.i

if.then.i:                                        ; preds = %entry
  %stack_size.i = getelementptr inbounds nuw i8, ptr %call, i64 88
  %3 = load i64, ptr %stack_size.i, align 8, !tbaa !10
  call void @em.run.too_deep(i64 %3) #7
  unreachable

em.check_stack.exit:                              ; preds = %entry
  ret void
}

declare ptr @em.run.arena_current() #2

attributes #0 = { alwaysinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { cold "no-trapping-math"="true" }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #4 = { noreturn "no-trapping-math"="true" }
attributes #5 = { cold nounwind }
attributes #6 = { nounwind }
attributes #7 = { noreturn nounwind }

!0 = !{!1, !2, i64 0}
!1 = !{!"arena", !2, i64 0, !2, i64 8, !2, i64 16, !6, i64 24, !6, i64 32, !7, i64 40, !7, i64 48, !7, i64 56, !7, i64 64, !7, i64 72, !7, i64 80, !7, i64 88, !7, i64 96, !3, i64 104, !7, i64 112, !3, i64 120, !3, i64 128, !3, i64 136, !4, i64 144}
!2 = !{!"p1 omnipotent char", !3, i64 0}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!"p1 _ZTS5chunk", !3, i64 0}
!7 = !{!"long", !4, i64 0}
!8 = !{!1, !2, i64 8}
!9 = !{!1, !7, i64 80}
!10 = !{!1, !7, i64 88}
