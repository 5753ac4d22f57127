%struct.sigaction = type { %union.anon, %struct.__sigset_t, i32, ptr }
%union.anon = type { ptr }
%struct.__sigset_t = type { [16 x i64] }

@.str = private unnamed_addr constant [7 x i8] c"raised\00", align 1
@handlers = internal global [65 x ptr] zeroinitializer, align 16

define i32 @em.run.raise(i32 %number) #0 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call = call i32 @raise_from(i32 %number, ptr %0)
  ret i32 %call
}

define internal i32 @raise_from(i32 %number, ptr %place) #1 {
entry:
  %now = alloca %struct.sigaction, align 8
  %0 = add i32 %number, -1
  %or.cond = icmp ult i32 %0, 64
  %call1 = call i32 @em.run.is_called() #11
  %tobool = icmp ne i32 %call1, 0
  %or.cond16 = select i1 %tobool, i1 %or.cond, i1 false
  br i1 %or.cond16, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %call3 = call i32 @raise(i32 %number) #11
  br label %cleanup34

if.end:                                           ; preds = %entry
  %idxprom.i = zext nneg i32 %number to i64
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @handlers, i64 %idxprom.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %call4 = call i32 @is_caught(i32 %number)
  %tobool5 = icmp ne i32 %call4, 0
  %magicptr = ptrtoint ptr %1 to i64
  switch i64 %magicptr, label %if.then9 [
    i64 1, label %cleanup34
    i64 0, label %if.end13
  ]

if.then9:                                         ; preds = %if.end
  br i1 %tobool5, label %if.end12, label %if.then10

if.then10:                                        ; preds = %if.then9
  %call11 = call i32 @raise(i32 %number) #11
  br label %cleanup34

if.end12:                                         ; preds = %if.then9
  call void %1(i32 %number, ptr null, ptr null) #11
  br label %cleanup34

if.end13:                                         ; preds = %if.end
  %call14 = call i32 @is_harmless(i32 %number)
  %tobool15.not = icmp eq i32 %call14, 0
  br i1 %tobool15.not, label %if.end17, label %cleanup34

if.end17:                                         ; preds = %if.end13
  %call18 = call i32 @is_ending(i32 %number)
  %tobool19 = icmp ne i32 %call18, 0
  %or.cond17 = select i1 %tobool19, i1 true, i1 %tobool5
  br i1 %or.cond17, label %if.end31, label %if.then21

if.then21:                                        ; preds = %if.end17
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #11
  store ptr null, ptr %now, align 8, !tbaa !4
  %call22 = call i32 @sigaction(i32 %number, ptr null, ptr nonnull %now) #11
  %2 = load ptr, ptr %now, align 8, !tbaa !4
  %3 = icmp ult ptr %2, inttoptr (i64 2 to ptr)
  br i1 %3, label %cleanup, label %if.then28

if.then28:                                        ; preds = %if.then21
  %call29 = call i32 @raise(i32 %number) #11
  br label %cleanup

cleanup:                                          ; preds = %if.then21, %if.then28
  %retval.2 = phi i32 [ %call29, %if.then28 ], [ undef, %if.then21 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #11
  %4 = icmp ult ptr %2, inttoptr (i64 2 to ptr)
  br i1 %4, label %if.end31, label %cleanup34

if.end31:                                         ; preds = %cleanup, %if.end17
  call void @em.run.leave(i32 8, i32 %number, ptr nonnull @.str, ptr null, ptr %place, i64 0) #12
  unreachable

cleanup34:                                        ; preds = %cleanup, %if.then10, %if.end12, %if.end, %if.end13, %if.then
  %retval.0 = phi i32 [ %call3, %if.then ], [ %retval.2, %cleanup ], [ 0, %if.end12 ], [ %call11, %if.then10 ], [ 0, %if.end ], [ 0, %if.end13 ]
  ret i32 %retval.0
}

declare ptr @llvm.returnaddress(i32 immarg) #2

define i32 @em.run.kill(i32 %receiver, i32 %number) #0 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i32 @is_self(i32 %receiver)
  %tobool1.not = icmp eq i32 %call, 0
  br i1 %tobool1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call2 = call i32 @raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call3 = call i32 @kill(i32 %receiver, i32 %number) #11
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

define internal i32 @is_self(i32 %receiver) #1 {
entry:
  %call = call i32 @getpid() #11
  %cmp = icmp eq i32 %receiver, %call
  br i1 %cmp, label %lor.end, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %call1 = call i32 @getpgrp() #11
  %sub = sub nsw i32 0, %call1
  %cmp2 = icmp eq i32 %receiver, %sub
  %0 = add i32 %receiver, 1
  %1 = icmp ult i32 %0, 2
  %spec.select = or i1 %cmp2, %1
  %2 = zext i1 %spec.select to i32
  br label %lor.end

lor.end:                                          ; preds = %lor.lhs.false, %entry
  %lor.ext = phi i32 [ 1, %entry ], [ %2, %lor.lhs.false ]
  ret i32 %lor.ext
}

declare i32 @kill(i32, i32) #3

define i32 @em.run.killpg(i32 %group, i32 %number) #0 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %sub = sub nsw i32 0, %group
  %call = call i32 @is_self(i32 %sub)
  %tobool1.not = icmp eq i32 %call, 0
  br i1 %tobool1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call2 = call i32 @raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call3 = call i32 @killpg(i32 %group, i32 %number) #11
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

declare i32 @killpg(i32, i32) #3

define i32 @em.run.sigqueue(i32 %receiver, i32 %number, ptr %value) #0 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i32 @is_self(i32 %receiver)
  %tobool1.not = icmp eq i32 %call, 0
  br i1 %tobool1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call2 = call i32 @raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call3 = call i32 @sigqueue(i32 %receiver, i32 %number, ptr %value) #11
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

declare i32 @sigqueue(i32, i32, ptr) #3

define i32 @em.run.pthread_kill(i64 %thread, i32 %number) #0 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i64 @pthread_self() #13
  %cmp = icmp eq i64 %thread, %call
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call1 = call i32 @raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call2 = call i32 @pthread_kill(i64 %thread, i32 %number) #11
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call1, %if.then ], [ %call2, %if.end ]
  ret i32 %retval.0
}

declare i64 @pthread_self() #4

declare i32 @pthread_kill(i64, i32) #3

define ptr @em.run.handle(i32 %number, ptr %new) #1 {
entry:
  %0 = add i32 %number, -1
  %or.cond = icmp ult i32 %0, 64
  %call1 = call i32 @em.run.is_called() #11
  %tobool = icmp ne i32 %call1, 0
  %or.cond8 = select i1 %tobool, i1 %or.cond, i1 false
  br i1 %or.cond8, label %if.then, label %if.end6

if.then:                                          ; preds = %entry
  %idxprom.i = sext i32 %number to i64
  %arrayidx.i = getelementptr inbounds ptr, ptr @handlers, i64 %idxprom.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  store ptr %new, ptr %arrayidx.i, align 8, !tbaa !0
  %call3 = call i32 @is_caught(i32 %number)
  %tobool4.not.not = icmp eq i32 %call3, 0
  %. = select i1 %tobool4.not.not, ptr undef, ptr %1
  br i1 %tobool4.not.not, label %if.end6, label %cleanup8

if.end6:                                          ; preds = %if.then, %entry
  %call7 = call ptr @signal(i32 %number, ptr %new) #11
  br label %cleanup8

cleanup8:                                         ; preds = %if.then, %if.end6
  %retval.1 = phi ptr [ %., %if.then ], [ %call7, %if.end6 ]
  ret ptr %retval.1
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #5

declare i32 @em.run.is_called() #6

define internal i32 @is_caught(i32 %number) #1 {
entry:
  switch i32 %number, label %sw.default [
    i32 2, label %return
    i32 4, label %return
    i32 5, label %return
    i32 6, label %return
    i32 7, label %return
    i32 8, label %return
    i32 11, label %return
    i32 23, label %return
  ]

sw.default:                                       ; preds = %entry
  br label %return

return:                                           ; preds = %entry, %entry, %entry, %entry, %entry, %entry, %entry, %entry, %sw.default
  %retval.0 = phi i32 [ 0, %sw.default ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ]
  ret i32 %retval.0
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #5

declare ptr @signal(i32, ptr) #3

define i32 @em.run.sigaction(i32 %number, ptr %action, ptr %old) #1 {
entry:
  %0 = add i32 %number, -1
  %or.cond = icmp ult i32 %0, 64
  %idxprom.i = sext i32 %number to i64
  %arrayidx.i = getelementptr inbounds ptr, ptr @handlers, i64 %idxprom.i
  %call1 = call i32 @em.run.is_called() #11
  %tobool = icmp ne i32 %call1, 0
  %or.cond12 = select i1 %tobool, i1 %or.cond, i1 false
  br i1 %or.cond12, label %if.then, label %if.end13

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool3.not = icmp eq ptr %action, null
  br i1 %tobool3.not, label %if.end, label %if.then4

if.then4:                                         ; preds = %if.then
  %2 = load ptr, ptr %action, align 8, !tbaa !4
  store ptr %2, ptr %arrayidx.i, align 8, !tbaa !0
  br label %if.end

if.end:                                           ; preds = %if.then4, %if.then
  %call5 = call i32 @is_caught(i32 %number)
  %tobool6.not = icmp eq i32 %call5, 0
  %tobool8.not = icmp eq ptr %old, null
  %or.cond13 = select i1 %tobool6.not, i1 true, i1 %tobool8.not
  br i1 %or.cond13, label %cleanup, label %if.then9

if.then9:                                         ; preds = %if.end
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %old, i8 0, i64 152, i1 false)
  store ptr %1, ptr %old, align 8, !tbaa !4
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then9
  br i1 %tobool6.not, label %if.end13, label %cleanup15

if.end13:                                         ; preds = %cleanup, %entry
  %call14 = call i32 @sigaction(i32 %number, ptr %action, ptr %old) #11
  br label %cleanup15

cleanup15:                                        ; preds = %cleanup, %if.end13
  %retval.1 = phi i32 [ 0, %cleanup ], [ %call14, %if.end13 ]
  ret i32 %retval.1
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

declare i32 @sigaction(i32, ptr, ptr) #3

define i32 @em.run.sigmask(i32 %how, ptr %set, ptr %old) #1 {
entry:
  %chosen = alloca %struct.__sigset_t, align 8
  %call = call i32 @em.run.is_called() #11
  %tobool = icmp eq i32 %call, 0
  %tobool1 = icmp eq ptr %set, null
  %or.cond.not10 = select i1 %tobool, i1 true, i1 %tobool1
  %cmp = icmp eq i32 %how, 1
  %or.cond9 = select i1 %or.cond.not10, i1 true, i1 %cmp
  br i1 %or.cond9, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call3 = call i32 @pthread_sigmask(i32 %how, ptr %set, ptr %old) #11
  br label %return

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %chosen) #11
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %chosen, ptr noundef nonnull align 8 dereferenceable(128) %set, i64 128, i1 false), !tbaa.struct !5
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %if.end
  %number.0 = phi i32 [ 1, %if.end ], [ %inc, %for.inc ]
  %cmp4 = icmp samesign ult i32 %number.0, 65
  br i1 %cmp4, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %call5 = call i32 @is_caught(i32 %number.0)
  %tobool6.not = icmp eq i32 %call5, 0
  br i1 %tobool6.not, label %for.inc, label %if.then7

if.then7:                                         ; preds = %for.body
  %call8 = call i32 @sigdelset(ptr nonnull %chosen, i32 %number.0) #11
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then7
  %inc = add nuw nsw i32 %number.0, 1
  br label %for.cond, !llvm.loop !6

for.end:                                          ; preds = %for.cond
  %call10 = call i32 @pthread_sigmask(i32 %how, ptr nonnull %chosen, ptr %old) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %chosen) #11
  br label %return

return:                                           ; preds = %for.end, %if.then
  %retval.0 = phi i32 [ %call3, %if.then ], [ %call10, %for.end ]
  ret i32 %retval.0
}

declare i32 @pthread_sigmask(i32, ptr, ptr) #3

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #8

declare i32 @sigdelset(ptr, i32) #3

declare i32 @raise(i32) #3

define internal i32 @is_harmless(i32 %number) #1 {
entry:
  switch i32 %number, label %sw.default [
    i32 17, label %return
    i32 18, label %return
    i32 23, label %return
    i32 28, label %return
  ]

sw.default:                                       ; preds = %entry
  br label %return

return:                                           ; preds = %entry, %entry, %entry, %entry, %sw.default
  %retval.0 = phi i32 [ 0, %sw.default ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ]
  ret i32 %retval.0
}

define internal i32 @is_ending(i32 %number) #1 {
entry:
  %0 = add i32 %number, -1
  %1 = call i32 @llvm.fshl.i32(i32 %0, i32 %0, i32 31)
  switch i32 %1, label %sw.default [
    i32 0, label %return
    i32 1, label %return
    i32 4, label %return
    i32 7, label %return
    i32 9, label %return
  ]

sw.default:                                       ; preds = %entry
  br label %return

return:                                           ; preds = %entry, %entry, %entry, %entry, %entry, %sw.default
  %retval.0 = phi i32 [ 0, %sw.default ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ]
  ret i32 %retval.0
}

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #9

declare i32 @getpid() #3

declare i32 @getpgrp() #3

declare i32 @llvm.fshl.i32(i32, i32, i32) #10

attributes #0 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #3 = { nounwind "no-trapping-math"="true" }
attributes #4 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { "no-trapping-math"="true" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #9 = { cold noreturn "no-trapping-math"="true" }
attributes #10 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #11 = { nounwind }
attributes #12 = { cold noreturn nounwind }
attributes #13 = { nounwind willreturn memory(none) }

!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!2, !2, i64 0}
!5 = !{i64 0, i64 128, !4}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
