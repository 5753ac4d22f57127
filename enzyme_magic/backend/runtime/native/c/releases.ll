@em.run.arena_key = external global i32, align 4

define void @em.run.check_release(ptr %block, ptr %place) #0 {
entry:
  %0 = ptrtoint ptr %block to i64
  %and = and i64 %0, 7
  %tobool = icmp ne i64 %and, 0
  br i1 %tobool, label %if.end12, label %if.then

if.then:                                          ; preds = %entry
  %1 = call ptr @llvm.frameaddress.p0(i32 0)
  %cmp = icmp ult ptr %block, %1
  br i1 %cmp, label %cleanup.cont21, label %if.end

if.end:                                           ; preds = %if.then
  %2 = load i32, ptr @em.run.arena_key, align 4, !tbaa !0
  %call = call ptr @pthread_getspecific(i32 %2) #8
  %tobool2.not = icmp eq ptr %call, null
  br i1 %tobool2.not, label %cleanup.cont21, label %if.end4

if.end4:                                          ; preds = %if.end
  %stack_size = getelementptr inbounds nuw i8, ptr %call, i64 88
  %3 = load i64, ptr %stack_size, align 8, !tbaa !4
  %div11 = lshr i64 %3, 2
  %div. = call i64 @llvm.umin.i64(i64 %div11, i64 262144)
  %stack_limit = getelementptr inbounds nuw i8, ptr %call, i64 80
  %4 = load i64, ptr %stack_limit, align 8, !tbaa !10
  %sub = sub i64 %4, %div.
  %add = add i64 %sub, %3
  %cmp7.not.not = icmp ugt i64 %add, %0
  br i1 %cmp7.not.not, label %if.end12, label %cleanup.cont21

if.end12:                                         ; preds = %if.end4, %entry
  %call13 = call i32 @em.run.is_called() #8
  %tobool14.not = icmp eq i32 %call13, 0
  br i1 %tobool14.not, label %cleanup.cont21, label %if.then15

if.then15:                                        ; preds = %if.end12
  %conv = zext i1 %tobool to i32
  call void @em.run.leave(i32 13, i32 %conv, ptr null, ptr null, ptr %place, i64 %0) #9
  unreachable

cleanup.cont21:                                   ; preds = %if.end, %if.end4, %if.then, %if.end12
  ret void
}

declare ptr @llvm.frameaddress.p0(i32 immarg) #1

declare ptr @pthread_getspecific(i32) #2

declare i32 @em.run.is_called() #3

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #4

define void @em.run.free(ptr %block) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %0)
  call void @free(ptr %block) #8
  ret void
}

declare ptr @llvm.returnaddress(i32 immarg) #1

declare void @free(ptr) #2

define ptr @em.run.realloc(ptr %block, i64 %bytes) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %0)
  %call = call ptr @realloc(ptr %block, i64 %bytes) #10
  ret ptr %call
}

declare ptr @realloc(ptr, i64) #6

define ptr @em.run.reallocarray(ptr %block, i64 %count, i64 %each) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %0)
  %call = call ptr @reallocarray(ptr %block, i64 %count, i64 %each) #8
  ret ptr %call
}

declare ptr @reallocarray(ptr, i64, i64) #2

declare i64 @llvm.umin.i64(i64, i64) #7

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { cold noreturn "no-trapping-math"="true" }
attributes #5 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #6 = { nounwind allocsize(1) "no-trapping-math"="true" }
attributes #7 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nounwind }
attributes #9 = { cold noreturn nounwind }
attributes #10 = { nounwind allocsize(1) }

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !9, i64 88}
!5 = !{!"arena", !6, i64 0, !6, i64 8, !6, i64 16, !8, i64 24, !8, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !9, i64 88, !9, i64 96, !7, i64 104, !9, i64 112, !7, i64 120, !7, i64 128, !7, i64 136, !2, i64 144}
!6 = !{!"p1 omnipotent char", !7, i64 0}
!7 = !{!"any pointer", !2, i64 0}
!8 = !{!"p1 _ZTS5chunk", !7, i64 0}
!9 = !{!"long", !2, i64 0}
!10 = !{!5, !9, i64 80}
