@em.run.arena_limit = global i64 8589934592, align 8
@em.run.frame_key = global i32 0, align 4
@em.run.arena_key = global i32 0, align 4
@.str = private unnamed_addr constant [15 x i8] c"pthread_exit()\00", align 1

define void @em.run.start(i64 %limit) #0 {
entry:
  %call = call i32 @pthread_key_create(ptr nonnull @em.run.frame_key, ptr null) #12
  %call1 = call i32 @pthread_key_create(ptr nonnull @em.run.arena_key, ptr nonnull @em.run.arena_destroy) #12
  store i64 %limit, ptr @em.run.arena_limit, align 8, !tbaa !0
  call void @em.run.make_slots() #12
  ret void
}

declare i32 @pthread_key_create(ptr, ptr) #1

declare void @em.run.arena_destroy(ptr) #2

declare void @em.run.make_slots() #2

define void @em.run.leave(i32 %kind, i32 %status, ptr %text, ptr %file, ptr %function, i64 %bytes) #3 {
entry:
  %0 = load i32, ptr @em.run.frame_key, align 4, !tbaa !4
  %call.i = call ptr @pthread_getspecific(i32 %0) #12
  %tobool.not = icmp eq ptr %call.i, null
  br i1 %tobool.not, label %if.then, label %if.end2

if.then:                                          ; preds = %entry
  %cmp = icmp eq i32 %kind, 1
  br i1 %cmp, label %if.then1, label %if.end

if.then1:                                         ; preds = %if.then
  call void @exit(i32 %status) #13
  unreachable

if.end:                                           ; preds = %if.then
  call void @abort() #14
  unreachable

if.end2:                                          ; preds = %entry
  %marks = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  %1 = load volatile i64, ptr %marks, align 8, !tbaa !6
  %and = and i64 %1, 1
  %tobool3.not = icmp eq i64 %and, 0
  br i1 %tobool3.not, label %if.end8, label %if.then4

if.then4:                                         ; preds = %if.end2
  %cmp5 = icmp eq i32 %kind, 1
  br i1 %cmp5, label %if.then6, label %if.end7

if.then6:                                         ; preds = %if.then4
  call void @em.run.child_ends(i32 %status) #14
  unreachable

if.end7:                                          ; preds = %if.then4
  call void @em.run.child_aborts() #14
  unreachable

if.end8:                                          ; preds = %if.end2
  %record = getelementptr inbounds nuw i8, ptr %call.i, i64 8
  %2 = load volatile ptr, ptr %record, align 8, !tbaa !11
  store i32 %kind, ptr %2, align 8, !tbaa !4
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %2, i64 4
  store i32 %status, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 4, !tbaa !4
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %2, i64 8
  store ptr %text, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8, !tbaa !12
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %2, i64 16
  store ptr %file, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8, !tbaa !12
  %.compoundliteral.sroa.5.0..sroa_idx = getelementptr inbounds nuw i8, ptr %2, i64 24
  store ptr %function, ptr %.compoundliteral.sroa.5.0..sroa_idx, align 8, !tbaa !14
  %.compoundliteral.sroa.6.0..sroa_idx = getelementptr inbounds nuw i8, ptr %2, i64 32
  store i64 %bytes, ptr %.compoundliteral.sroa.6.0..sroa_idx, align 8, !tbaa !0
  %buffer = getelementptr inbounds nuw i8, ptr %call.i, i64 16
  %3 = load volatile ptr, ptr %buffer, align 8, !tbaa !15
  call void @longjmp(ptr %3, i32 1) #13
  unreachable
}

declare void @exit(i32) #4

declare void @abort() #5

declare void @em.run.child_ends(i32) #6

declare void @em.run.child_aborts() #6

declare void @longjmp(ptr, i32) #4

define i32 @em.run.is_called() #0 {
entry:
  %0 = load i32, ptr @em.run.frame_key, align 4, !tbaa !4
  %call.i = call ptr @pthread_getspecific(i32 %0) #12
  %tobool.not = icmp eq ptr %call.i, null
  br i1 %tobool.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %marks = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  %1 = load volatile i64, ptr %marks, align 8, !tbaa !6
  %2 = trunc i64 %1 to i32
  %3 = and i32 %2, 1
  %4 = xor i32 %3, 1
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %land.ext = phi i32 [ 0, %entry ], [ %4, %land.rhs ]
  ret i32 %land.ext
}

define void @em.run.exit(i32 %status) #7 {
entry:
  call void @em.run.leave(i32 1, i32 %status, ptr null, ptr null, ptr null, i64 0) #15
  unreachable
}

define void @em.run.thread_exit(ptr %value) #7 {
entry:
  %0 = load i32, ptr @em.run.frame_key, align 4, !tbaa !4
  %call.i = call ptr @pthread_getspecific(i32 %0) #12
  %cond = icmp eq ptr %call.i, null
  br i1 %cond, label %if.end3, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %marks = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  %1 = load volatile i64, ptr %marks, align 8, !tbaa !6
  %cmp = icmp eq i64 %1, 4
  br i1 %cmp, label %if.then, label %if.then2

if.then:                                          ; preds = %land.lhs.true
  call void @em.run.pop_frame(ptr nonnull %call.i) #12
  br label %if.end3

if.then2:                                         ; preds = %land.lhs.true
  call void @em.run.leave(i32 1, i32 0, ptr nonnull @.str, ptr null, ptr null, i64 0) #15
  unreachable

if.end3:                                          ; preds = %entry, %if.then
  call void @pthread_exit(ptr %value) #13
  unreachable
}

declare void @em.run.pop_frame(ptr) #2

declare void @pthread_exit(ptr) #8

define void @em.run.abort() #7 {
entry:
  call void @em.run.leave(i32 2, i32 0, ptr null, ptr null, ptr null, i64 0) #15
  unreachable
}

define void @em.run.assert(ptr %text, ptr %file, i32 %line, ptr %function) #7 {
entry:
  call void @em.run.leave(i32 3, i32 %line, ptr %text, ptr %file, ptr %function, i64 0) #15
  unreachable
}

define void @em.run.assert_bsd(ptr %text, ptr %file, i32 %line) #7 {
entry:
  call void @em.run.leave(i32 3, i32 %line, ptr %text, ptr %file, ptr null, i64 0) #15
  unreachable
}

define void @em.run.outside(ptr %what, ptr %file, i32 %line, i64 %index, i64 %extent) #7 {
entry:
  %0 = inttoptr i64 %index to ptr
  call void @em.run.leave(i32 12, i32 %line, ptr %what, ptr %file, ptr %0, i64 %extent) #15
  unreachable
}

define void @em.run.too_deep(i64 %bytes) #7 {
entry:
  call void @em.run.leave(i32 6, i32 0, ptr null, ptr null, ptr null, i64 %bytes) #15
  unreachable
}

define void @em.run.bytes(ptr %text, ptr %file, i32 %line) #9 {
entry:
  call void @em.run.leave(i32 9, i32 %line, ptr %text, ptr %file, ptr null, i64 0) #15
  unreachable
}

define void @em.run.kept(ptr %text, ptr %file, i32 %line) #9 {
entry:
  call void @em.run.leave(i32 7, i32 %line, ptr %text, ptr %file, ptr null, i64 0) #15
  unreachable
}

define noalias ptr @em.run.shadow_block(i64 %align, i64 %bytes) #0 {
entry:
  %0 = load i64, ptr @em.run.arena_limit, align 8, !tbaa !0
  %cmp = icmp ugt i64 %bytes, %0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @em.run.leave(i32 4, i32 0, ptr null, ptr null, ptr null, i64 %bytes) #15
  unreachable

if.end:                                           ; preds = %entry
  %call = call noalias ptr @aligned_alloc(i64 %align, i64 %bytes) #16
  call void @llvm.assume(i1 true) [ "align"(ptr %call, i64 %align) ]
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then1, label %if.end2

if.then1:                                         ; preds = %if.end
  call void @em.run.leave(i32 5, i32 0, ptr null, ptr null, ptr null, i64 %bytes) #15
  unreachable

if.end2:                                          ; preds = %if.end
  ret ptr %call
}

declare noalias ptr @aligned_alloc(i64, i64) #10

declare void @llvm.assume(i1 noundef) #11

declare ptr @pthread_getspecific(i32) #1

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nounwind "no-trapping-math"="true" }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { cold noinline noreturn nounwind optsize uwtable(sync) "no-trapping-math"="true" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" }
attributes #5 = { cold noreturn nounwind "no-trapping-math"="true" }
attributes #6 = { cold noreturn "no-trapping-math"="true" }
attributes #7 = { noreturn nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #8 = { noreturn "no-trapping-math"="true" }
attributes #9 = { cold noreturn nounwind optsize uwtable(sync) "no-trapping-math"="true" }
attributes #10 = { nounwind allocsize(1) "no-trapping-math"="true" }
attributes #11 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #12 = { nounwind }
attributes #13 = { noreturn nounwind }
attributes #14 = { cold noreturn nounwind }
attributes #15 = { cold noreturn }
attributes #16 = { nounwind allocsize(1) }

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !2, i64 0}
!6 = !{!7, !1, i64 24}
!7 = !{!"frame", !8, i64 0, !10, i64 8, !9, i64 16, !1, i64 24}
!8 = !{!"p1 _ZTS5frame", !9, i64 0}
!9 = !{!"any pointer", !2, i64 0}
!10 = !{!"p1 _ZTS6record", !9, i64 0}
!11 = !{!7, !10, i64 8}
!12 = !{!13, !13, i64 0}
!13 = !{!"p1 omnipotent char", !9, i64 0}
!14 = !{!9, !9, i64 0}
!15 = !{!7, !9, i64 16}
