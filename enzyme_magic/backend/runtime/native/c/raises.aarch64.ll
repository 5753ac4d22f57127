%struct.__sigset_t = type { [16 x i64] }

@.str = private unnamed_addr constant [7 x i8] c"raised\00", align 1

define i32 @em.run.raise_from(i32 %number, ptr %place) #0 {
entry:
  %call = call ptr @em.run.handler_place(i32 %number) #9
  %call1 = call i32 @em.run.is_called() #9
  %tobool = icmp ne i32 %call1, 0
  %tobool2 = icmp ne ptr %call, null
  %or.cond = select i1 %tobool, i1 %tobool2, i1 false
  br i1 %or.cond, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %call3 = call i32 @raise(i32 %number) #9
  br label %cleanup34

if.end:                                           ; preds = %entry
  %0 = load ptr, ptr %call, align 8, !tbaa !0
  %magicptr = ptrtoint ptr %0 to i64
  switch i64 %magicptr, label %if.then7 [
    i64 1, label %cleanup34
    i64 0, label %if.end14
  ]

if.then7:                                         ; preds = %if.end
  %call8 = call i32 @em.run.is_caught(i32 %number) #9
  %tobool9.not = icmp eq i32 %call8, 0
  br i1 %tobool9.not, label %land.lhs.true, label %if.end13

land.lhs.true:                                    ; preds = %if.then7
  %call10 = call i1 @is_blocked(i32 %number)
  br i1 %call10, label %if.then11, label %if.end13

if.then11:                                        ; preds = %land.lhs.true
  %call12 = call i32 @raise(i32 %number) #9
  br label %cleanup34

if.end13:                                         ; preds = %land.lhs.true, %if.then7
  call void @em.run.call_handler(i32 %number) #9
  br label %cleanup34

if.end14:                                         ; preds = %if.end
  %call15 = call i32 @is_harmless(i32 %number)
  %tobool16.not = icmp eq i32 %call15, 0
  br i1 %tobool16.not, label %if.end18, label %cleanup34

if.end18:                                         ; preds = %if.end14
  %call19 = call i32 @is_ending(i32 %number)
  %tobool20.not = icmp eq i32 %call19, 0
  br i1 %tobool20.not, label %land.lhs.true21, label %if.end32

land.lhs.true21:                                  ; preds = %if.end18
  %call22 = call i32 @em.run.is_caught(i32 %number) #9
  %tobool23.not = icmp eq i32 %call22, 0
  br i1 %tobool23.not, label %if.then24, label %if.end32

if.then24:                                        ; preds = %land.lhs.true21
  %call25 = call ptr @em.run.disposition(i32 %number) #9
  %magicptr15 = ptrtoint ptr %call25 to i64
  switch i64 %magicptr15, label %if.then29 [
    i64 0, label %if.end32
    i64 1, label %if.end32
  ]

if.then29:                                        ; preds = %if.then24
  %call30 = call i32 @raise(i32 %number) #9
  br label %cleanup34

if.end32:                                         ; preds = %if.then24, %if.then24, %land.lhs.true21, %if.end18
  call void @em.run.leave(i32 8, i32 %number, ptr nonnull @.str, ptr null, ptr %place, i64 0) #10
  unreachable

cleanup34:                                        ; preds = %if.then29, %if.then11, %if.end13, %if.end, %if.end14, %if.then
  %retval.0 = phi i32 [ %call3, %if.then ], [ %call30, %if.then29 ], [ 0, %if.end13 ], [ %call12, %if.then11 ], [ 0, %if.end ], [ 0, %if.end14 ]
  ret i32 %retval.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare ptr @em.run.handler_place(i32) #2

declare i32 @em.run.is_called() #2

declare i32 @raise(i32) #3

declare i32 @em.run.is_caught(i32) #2

define internal i1 @is_blocked(i32 %number) #0 {
entry:
  %now = alloca %struct.__sigset_t, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #9
  %call = call i32 @pthread_sigmask(i32 0, ptr null, ptr nonnull %now) #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %call1 = call i32 @sigismember(ptr nonnull %now, i32 %number) #9
  %tobool2 = icmp ne i32 %call1, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %0 = phi i1 [ false, %entry ], [ %tobool2, %land.rhs ]
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #9
  ret i1 %0
}

declare void @em.run.call_handler(i32) #2

define internal i32 @is_harmless(i32 %number) #0 {
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

define internal i32 @is_ending(i32 %number) #0 {
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

declare ptr @em.run.disposition(i32) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #4

define i32 @em.run.raise(i32 %number) #5 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call = call i32 @em.run.raise_from(i32 %number, ptr %0)
  ret i32 %call
}

declare ptr @llvm.returnaddress(i32 immarg) #6

define i32 @em.run.kill(i32 %receiver, i32 %number) #5 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i32 @is_self(i32 %receiver)
  %tobool1.not = icmp eq i32 %call, 0
  br i1 %tobool1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call2 = call i32 @em.run.raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call3 = call i32 @kill(i32 %receiver, i32 %number) #9
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

define internal i32 @is_self(i32 %receiver) #0 {
entry:
  %cmp = icmp sgt i32 %receiver, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call i32 @getpid() #9
  %conv = sext i32 %call to i64
  %conv1 = zext nneg i32 %receiver to i64
  %call2 = call i64 (i64, ...) @syscall(i64 131, i64 %conv, i64 %conv1, i64 0) #9
  %tobool.not = icmp eq i64 %call2, 0
  br label %return

if.end:                                           ; preds = %entry
  %call3 = call i32 @getpgrp() #9
  %sub = sub nsw i32 0, %call3
  %cmp4 = icmp eq i32 %receiver, %sub
  %0 = add i32 %receiver, 1
  %1 = icmp ult i32 %0, 2
  %spec.select = or i1 %cmp4, %1
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0.in = phi i1 [ %tobool.not, %if.then ], [ %spec.select, %if.end ]
  %retval.0 = zext i1 %retval.0.in to i32
  ret i32 %retval.0
}

declare i32 @kill(i32, i32) #3

define i32 @em.run.killpg(i32 %group, i32 %number) #5 {
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
  %call2 = call i32 @em.run.raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call3 = call i32 @killpg(i32 %group, i32 %number) #9
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

declare i32 @killpg(i32, i32) #3

define i32 @em.run.sigqueue(i32 %receiver, i32 %number, ptr %value) #5 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i32 @is_self(i32 %receiver)
  %tobool1.not = icmp eq i32 %call, 0
  br i1 %tobool1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call2 = call i32 @em.run.raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %coerce.val.pi = ptrtoint ptr %value to i64
  %call3 = call i32 @sigqueue(i32 %receiver, i32 %number, i64 %coerce.val.pi) #9
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

declare i32 @sigqueue(i32, i32, i64) #3

define i32 @em.run.pthread_kill(i64 %thread, i32 %number) #5 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i64 @pthread_self() #11
  %cmp = icmp eq i64 %thread, %call
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.lhs.true
  %call1 = call i1 @is_unhandled(i32 %number)
  br i1 %call1, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call2 = call i32 @em.run.raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %lor.lhs.false, %entry
  %call3 = call i32 @pthread_kill(i64 %thread, i32 %number) #9
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call2, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

declare i64 @pthread_self() #7

define internal i1 @is_unhandled(i32 %number) #0 {
entry:
  %call = call ptr @em.run.handler_place(i32 %number) #9
  %call1 = call i32 @em.run.is_called() #9
  %tobool = icmp ne i32 %call1, 0
  %tobool2 = icmp ne ptr %call, null
  %or.cond = select i1 %tobool, i1 %tobool2, i1 false
  br i1 %or.cond, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %0 = load ptr, ptr %call, align 8, !tbaa !0
  %cmp = icmp eq ptr %0, null
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %1 = phi i1 [ %cmp, %land.rhs ], [ false, %entry ]
  ret i1 %1
}

declare i32 @pthread_kill(i64, i32) #3

define i32 @em.run.pthread_sigqueue(i64 %thread, i32 %number, i64 %value.coerce) #5 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i1 @is_unhandled(i32 %number)
  br i1 %call, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call1 = call i32 @em.run.raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %land.lhs.true, %entry
  %call3 = call i32 @pthread_sigqueue(i64 %thread, i32 %number, i64 %value.coerce) #9
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call1, %if.then ], [ %call3, %if.end ]
  ret i32 %retval.0
}

declare i32 @pthread_sigqueue(i64, i32, i64) #3

define i32 @em.run.tgkill(i32 %process, i32 %thread, i32 %number) #5 {
entry:
  %tobool.not = icmp eq i32 %number, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call i32 @getpid() #9
  %cmp = icmp eq i32 %process, %call
  br i1 %cmp, label %land.lhs.true1, label %if.end

land.lhs.true1:                                   ; preds = %land.lhs.true
  %conv = sext i32 %thread to i64
  %call2 = call i64 (i64, ...) @syscall(i64 178) #9
  %cmp3 = icmp eq i64 %call2, %conv
  br i1 %cmp3, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.lhs.true1
  %call5 = call i1 @is_unhandled(i32 %number)
  br i1 %call5, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %land.lhs.true1
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call7 = call i32 @em.run.raise_from(i32 %number, ptr %0)
  br label %return

if.end:                                           ; preds = %lor.lhs.false, %land.lhs.true, %entry
  %conv8 = sext i32 %process to i64
  %conv9 = sext i32 %thread to i64
  %conv10 = sext i32 %number to i64
  %call11 = call i64 (i64, ...) @syscall(i64 131, i64 %conv8, i64 %conv9, i64 %conv10) #9
  %conv12 = trunc i64 %call11 to i32
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call7, %if.then ], [ %conv12, %if.end ]
  ret i32 %retval.0
}

declare i32 @getpid() #3

declare i64 @syscall(i64, ...) #3

declare i32 @pthread_sigmask(i32, ptr, ptr) #3

declare i32 @sigismember(ptr, i32) #3

declare i32 @getpgrp() #3

declare i32 @llvm.fshl.i32(i32, i32, i32) #8

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nounwind "no-trapping-math"="true" }
attributes #4 = { cold noreturn "no-trapping-math"="true" }
attributes #5 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #7 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nounwind }
attributes #10 = { cold noreturn nounwind }
attributes #11 = { nounwind willreturn memory(none) }

!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
