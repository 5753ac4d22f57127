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
  %call = call ptr @pthread_getspecific(i32 %2) #9
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
  %call13 = call i32 @em.run.is_called() #9
  %tobool14.not = icmp eq i32 %call13, 0
  br i1 %tobool14.not, label %cleanup.cont21, label %if.then15

if.then15:                                        ; preds = %if.end12
  %conv = zext i1 %tobool to i32
  call void @em.run.leave(i32 13, i32 %conv, ptr null, ptr null, ptr %place, i64 %0) #10
  unreachable

cleanup.cont21:                                   ; preds = %if.end, %if.end4, %if.then, %if.end12
  ret void
}

declare ptr @llvm.frameaddress.p0(i32 immarg) #1

declare ptr @pthread_getspecific(i32) #2

declare i32 @em.run.is_called() #3

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #4

define void @em.run.check_block(ptr %primal, ptr %shadow, ptr %what, ptr %file, i32 %line) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %shadow, i64 -64
  %0 = ptrtoint ptr %shadow to i64
  %tobool1 = icmp eq ptr %shadow, null
  %and = and i64 %0, 63
  %tobool2 = icmp ne i64 %and, 0
  %or.cond = or i1 %tobool1, %tobool2
  br i1 %or.cond, label %if.end11, label %land.rhs

land.rhs:                                         ; preds = %if.end
  %and3 = and i64 %0, 4032
  %tobool4.not = icmp eq i64 %and3, 0
  br i1 %tobool4.not, label %lor.rhs, label %land.lhs.true5

lor.rhs:                                          ; preds = %land.rhs
  %mark = getelementptr inbounds i8, ptr %shadow, i64 -48
  %call = call zeroext i1 @readable(ptr nonnull %mark)
  br i1 %call, label %land.lhs.true5, label %if.end11

land.lhs.true5:                                   ; preds = %land.rhs, %lor.rhs
  %mark6 = getelementptr inbounds i8, ptr %shadow, i64 -48
  %1 = load i64, ptr %mark6, align 8, !tbaa !11
  %2 = ptrtoint ptr %primal to i64
  %3 = xor i64 %1, %2
  %cmp = icmp eq i64 %3, -7046029254386353131
  br i1 %cmp, label %if.then7, label %if.end11

if.then7:                                         ; preds = %land.lhs.true5
  %4 = load i64, ptr %add.ptr, align 8, !tbaa !13
  %tobool8.not = icmp eq i64 %4, 0
  br i1 %tobool8.not, label %return, label %if.end10

if.end10:                                         ; preds = %if.then7
  %not = xor i32 %line, -1
  br label %if.end11

if.end11:                                         ; preds = %if.end, %if.end10, %land.lhs.true5, %lor.rhs
  %line.addr.0 = phi i32 [ %not, %if.end10 ], [ %line, %land.lhs.true5 ], [ %line, %lor.rhs ], [ %line, %if.end ]
  %5 = ptrtoint ptr %primal to i64
  call void @em.run.leave(i32 13, i32 %line.addr.0, ptr %what, ptr %file, ptr null, i64 %5) #10
  unreachable

return:                                           ; preds = %if.then7, %entry
  ret void
}

define internal zeroext i1 @readable(ptr %address) #0 {
entry:
  %call = call ptr @__errno_location() #11
  %0 = load i32, ptr %call, align 4, !tbaa !0
  %call1 = call i64 (i64, ...) @syscall(i64 14, i64 -1, ptr %address, i64 0, i64 8) #9
  %cmp = icmp eq i64 %call1, 0
  br i1 %cmp, label %lor.end, label %lor.rhs

lor.rhs:                                          ; preds = %entry
  %1 = load i32, ptr %call, align 4, !tbaa !0
  %cmp3 = icmp ne i32 %1, 14
  br label %lor.end

lor.end:                                          ; preds = %lor.rhs, %entry
  %2 = phi i1 [ true, %entry ], [ %cmp3, %lor.rhs ]
  store i32 %0, ptr %call, align 4, !tbaa !0
  ret i1 %2
}

define void @em.run.free(ptr %block) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %0)
  call void @free(ptr %block) #9
  ret void
}

declare ptr @llvm.returnaddress(i32 immarg) #1

declare void @free(ptr) #2

define ptr @em.run.realloc(ptr %block, i64 %bytes) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %0)
  %call = call ptr @realloc(ptr %block, i64 %bytes) #12
  ret ptr %call
}

declare ptr @realloc(ptr, i64) #6

define ptr @em.run.reallocarray(ptr %block, i64 %count, i64 %each) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %0)
  %call = call ptr @reallocarray(ptr %block, i64 %count, i64 %each) #9
  ret ptr %call
}

declare ptr @reallocarray(ptr, i64, i64) #2

declare ptr @__errno_location() #7

declare i64 @syscall(i64, ...) #2

declare i64 @llvm.umin.i64(i64, i64) #8

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { cold noreturn "no-trapping-math"="true" }
attributes #5 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #6 = { nounwind allocsize(1) "no-trapping-math"="true" }
attributes #7 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nounwind }
attributes #10 = { cold noreturn nounwind }
attributes #11 = { nounwind willreturn memory(none) }
attributes #12 = { nounwind allocsize(1) }

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
!11 = !{!12, !9, i64 16}
!12 = !{!"header", !9, i64 0, !9, i64 8, !9, i64 16, !2, i64 24}
!13 = !{!12, !9, i64 0}
