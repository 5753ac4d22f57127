%struct.stat = type { i64, i64, i32, i32, i32, i32, i64, i64, i64, i32, i32, i64, %struct.timespec, %struct.timespec, %struct.timespec, [2 x i32] }
%struct.timespec = type { i64, i64 }
%struct.rlimit = type { i64, i64 }

@opened = internal global [65536 x i64] zeroinitializer, align 8
@.str = private unnamed_addr constant [6 x i8] c"close\00", align 1
@.str.1 = private unnamed_addr constant [9 x i8] c"shutdown\00", align 1
@.str.2 = private unnamed_addr constant [5 x i8] c"dup2\00", align 1
@.str.3 = private unnamed_addr constant [5 x i8] c"dup3\00", align 1
@.str.4 = private unnamed_addr constant [12 x i8] c"close_range\00", align 1
@.str.5 = private unnamed_addr constant [10 x i8] c"closefrom\00", align 1
@.str.6 = private unnamed_addr constant [7 x i8] c"fclose\00", align 1
@.str.7 = private unnamed_addr constant [8 x i8] c"freopen\00", align 1
@.str.8 = private unnamed_addr constant [10 x i8] c"fcloseall\00", align 1
@.str.9 = private unnamed_addr constant [10 x i8] c"setrlimit\00", align 1
@.str.10 = private unnamed_addr constant [8 x i8] c"prlimit\00", align 1
@.str.11 = private unnamed_addr constant [9 x i8] c"shm_open\00", align 1
@stdin = external global ptr, align 8
@stdout = external global ptr, align 8
@stderr = external global ptr, align 8

define i1 @em.run.is_kernels(i32 %number) #0 {
entry:
  %cmp = icmp slt i32 %number, 0
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %call = call i64 @what_is(i32 %number)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i64 [ %call, %cond.false ], [ 0, %entry ]
  %tobool.not = icmp eq i64 %cond, 0
  br i1 %tobool.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %cond.end
  %cmp1 = icmp sgt i32 %number, 65535
  br i1 %cmp1, label %land.end, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds i64, ptr @opened, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !0
  %cmp2 = icmp ne i64 %0, %cond
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.rhs, %cond.end
  %1 = phi i1 [ false, %cond.end ], [ true, %land.rhs ], [ %cmp2, %lor.rhs ]
  ret i1 %1
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

define internal i64 @what_is(i32 %number) #0 {
entry:
  %found = alloca %struct.stat, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %found) #9
  %call = call i32 @fstat(i32 %number, ptr nonnull %found) #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %0 = load i64, ptr %found, align 8, !tbaa !4
  %mul = mul i64 %0, -7046029254386353131
  %st_ino = getelementptr inbounds nuw i8, ptr %found, i64 8
  %1 = load i64, ptr %st_ino, align 8, !tbaa !8
  %xor = xor i64 %mul, %1
  %or = or i64 %xor, 1
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end
  %retval.0 = phi i64 [ %or, %if.end ], [ 0, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %found) #9
  ret i64 %retval.0
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define i32 @em.run.close(i32 %number) #2 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @spare(i32 %number, ptr nonnull @.str, ptr %0)
  %call = call i32 @close(i32 %number) #9
  ret i32 %call
}

define internal void @spare(i32 %number, ptr %name, ptr %place) #0 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call1 = call i1 @em.run.is_kernels(i32 %number)
  br i1 %call1, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  call void @em.run.leave(i32 14, i32 %number, ptr %name, ptr null, ptr %place, i64 0) #10
  unreachable

if.end:                                           ; preds = %land.lhs.true, %entry
  %or.cond = icmp ult i32 %number, 65536
  br i1 %or.cond, label %if.then4, label %if.end5

if.then4:                                         ; preds = %if.end
  %idxprom = zext nneg i32 %number to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr @opened, i64 %idxprom
  store i64 0, ptr %arrayidx, align 8, !tbaa !0
  br label %if.end5

if.end5:                                          ; preds = %if.then4, %if.end
  ret void
}

declare ptr @llvm.returnaddress(i32 immarg) #3

declare i32 @close(i32) #4

define i32 @em.run.shutdown(i32 %number, i32 %how) #2 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call1 = call i1 @em.run.is_kernels(i32 %number)
  br i1 %call1, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.leave(i32 14, i32 %number, ptr nonnull @.str.1, ptr null, ptr %0, i64 0) #10
  unreachable

if.end:                                           ; preds = %land.lhs.true, %entry
  %call2 = call i32 @shutdown(i32 %number, i32 %how) #9
  ret i32 %call2
}

declare i32 @em.run.is_called() #4

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #5

declare i32 @shutdown(i32, i32) #6

define i32 @em.run.dup2(i32 %from, i32 %to) #2 {
entry:
  %cmp = icmp eq i32 %from, %to
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call i32 @dup2(i32 %from, i32 %from) #9
  br label %return

if.end:                                           ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @spare(i32 %to, ptr nonnull @.str.2, ptr %0)
  %call1 = call i32 @dup2(i32 %from, i32 %to) #9
  %call2 = call i32 @ours(i32 %call1)
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call, %if.then ], [ %call2, %if.end ]
  ret i32 %retval.0
}

declare i32 @dup2(i32, i32) #6

define internal i32 @ours(i32 %number) #0 {
entry:
  %or.cond = icmp ult i32 %number, 65536
  br i1 %or.cond, label %land.lhs.true2, label %if.end

land.lhs.true2:                                   ; preds = %entry
  %call = call i32 @em.run.is_called() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true2
  %call3 = call i64 @what_is(i32 %number)
  %idxprom = zext nneg i32 %number to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr @opened, i64 %idxprom
  store i64 %call3, ptr %arrayidx, align 8, !tbaa !0
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true2, %entry
  ret i32 %number
}

define i32 @em.run.dup3(i32 %from, i32 %to, i32 %flags) #2 {
entry:
  %cmp = icmp eq i32 %from, %to
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call i32 @dup3(i32 %from, i32 %from, i32 %flags) #9
  br label %return

if.end:                                           ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @spare(i32 %to, ptr nonnull @.str.3, ptr %0)
  %call1 = call i32 @dup3(i32 %from, i32 %to, i32 %flags) #9
  %call2 = call i32 @ours(i32 %call1)
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call, %if.then ], [ %call2, %if.end ]
  ret i32 %retval.0
}

declare i32 @dup3(i32, i32, i32) #6

define void @em.run.spare_range(i32 %first, i32 %last, ptr %name, ptr %place) #0 {
entry:
  %limit = alloca %struct.rlimit, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %limit) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %limit, i8 0, i64 16, i1 false)
  %call = call i32 @getrlimit(i32 7, ptr nonnull %limit) #9
  %0 = load i64, ptr %limit, align 8, !tbaa !9
  %cmp = icmp ugt i64 %0, 1048576
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store i64 1048576, ptr %limit, align 8, !tbaa !9
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  br label %for.cond

for.cond:                                         ; preds = %for.body, %if.end
  %number.0 = phi i32 [ %first, %if.end ], [ %inc, %for.body ]
  %cmp2 = icmp ule i32 %number.0, %last
  %conv = zext i32 %number.0 to i64
  %1 = load i64, ptr %limit, align 8
  %cmp4 = icmp ugt i64 %1, %conv
  %2 = select i1 %cmp2, i1 %cmp4, i1 false
  br i1 %2, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  call void @spare(i32 %number.0, ptr %name, ptr %place)
  %inc = add i32 %number.0, 1
  br label %for.cond, !llvm.loop !11

for.end:                                          ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr nonnull %limit) #9
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

declare i32 @getrlimit(i32, ptr) #6

define i32 @em.run.close_range(i32 %first, i32 %last, i32 %flags) #2 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool = icmp eq i32 %call, 0
  %and = and i32 %flags, 4
  %tobool1 = icmp ne i32 %and, 0
  %or.cond = select i1 %tobool, i1 true, i1 %tobool1
  br i1 %or.cond, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.spare_range(i32 %first, i32 %last, ptr nonnull @.str.4, ptr %0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %conv = zext i32 %first to i64
  %conv2 = zext i32 %last to i64
  %conv3 = zext i32 %flags to i64
  %call4 = call i64 (i64, ...) @syscall(i64 436, i64 %conv, i64 %conv2, i64 %conv3) #9
  %conv5 = trunc i64 %call4 to i32
  ret i32 %conv5
}

declare i64 @syscall(i64, ...) #6

define void @em.run.closefrom(i32 %first) #2 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %.first = call i32 @llvm.smax.i32(i32 %first, i32 0)
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.spare_range(i32 %.first, i32 -1, ptr nonnull @.str.5, ptr %0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %.first4 = call i32 @llvm.smax.i32(i32 %first, i32 0)
  %conv = zext nneg i32 %.first4 to i64
  %call6 = call i64 (i64, ...) @syscall(i64 436, i64 %conv, i64 4294967295, i64 0) #9
  ret void
}

define i32 @em.run.fclose(ptr %file) #2 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @spare_stream(ptr %file, ptr nonnull @.str.6, ptr %0)
  %call = call i32 @fclose(ptr %file) #9
  ret i32 %call
}

define internal void @spare_stream(ptr %file, ptr %name, ptr %place) #0 {
entry:
  %tobool.not = icmp eq ptr %file, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %call = call i32 @fileno(ptr nonnull %file) #9
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %call, %cond.true ], [ -1, %entry ]
  %call1 = call i32 @em.run.is_called() #9
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %cond.end
  %0 = load ptr, ptr @stdin, align 8, !tbaa !13
  %cmp = icmp eq ptr %file, %0
  %1 = load ptr, ptr @stdout, align 8
  %cmp3 = icmp eq ptr %file, %1
  %or.cond = select i1 %cmp, i1 true, i1 %cmp3
  %2 = load ptr, ptr @stderr, align 8
  %cmp5 = icmp eq ptr %file, %2
  %or.cond8 = select i1 %or.cond, i1 true, i1 %cmp5
  br i1 %or.cond8, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  call void @em.run.leave(i32 14, i32 %cond, ptr %name, ptr null, ptr %place, i64 0) #10
  unreachable

if.end:                                           ; preds = %land.lhs.true, %cond.end
  %or.cond9 = icmp ult i32 %cond, 65536
  br i1 %or.cond9, label %if.then9, label %if.end10

if.then9:                                         ; preds = %if.end
  %idxprom = zext nneg i32 %cond to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr @opened, i64 %idxprom
  store i64 0, ptr %arrayidx, align 8, !tbaa !0
  br label %if.end10

if.end10:                                         ; preds = %if.then9, %if.end
  ret void
}

declare i32 @fclose(ptr) #4

define ptr @em.run.freopen(ptr %path, ptr %mode, ptr %file) #2 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @spare_stream(ptr %file, ptr nonnull @.str.7, ptr %0)
  %call = call ptr @freopen(ptr %path, ptr %mode, ptr %file) #9
  ret ptr %call
}

declare ptr @freopen(ptr, ptr, ptr) #4

define i32 @em.run.fcloseall() #2 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.leave(i32 14, i32 1, ptr nonnull @.str.8, ptr null, ptr %0, i64 0) #10
  unreachable

if.end:                                           ; preds = %entry
  %call1 = call i32 @fcloseall() #9
  ret i32 %call1
}

declare i32 @fcloseall() #4

define i32 @em.run.setrlimit(i32 %what, ptr %new) #2 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.leave(i32 14, i32 -1, ptr nonnull @.str.9, ptr null, ptr %0, i64 0) #10
  unreachable

if.end:                                           ; preds = %entry
  %call1 = call i32 @setrlimit(i32 %what, ptr %new) #9
  ret i32 %call1
}

declare i32 @setrlimit(i32, ptr) #6

define i32 @em.run.prlimit(i32 %process, i32 %what, ptr %new, ptr %old) #2 {
entry:
  %call = call i32 @em.run.is_called() #9
  %tobool = icmp ne i32 %call, 0
  %tobool1 = icmp ne ptr %new, null
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %land.lhs.true2, label %if.end

land.lhs.true2:                                   ; preds = %entry
  %tobool3.not = icmp eq i32 %process, 0
  br i1 %tobool3.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %land.lhs.true2
  %call4 = call i32 @getpid() #9
  %cmp = icmp eq i32 %process, %call4
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %land.lhs.true2
  %0 = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.leave(i32 14, i32 -1, ptr nonnull @.str.10, ptr null, ptr %0, i64 0) #10
  unreachable

if.end:                                           ; preds = %lor.lhs.false, %entry
  %call5 = call i32 @prlimit(i32 %process, i32 %what, ptr %new, ptr %old) #9
  ret i32 %call5
}

declare i32 @getpid() #6

declare i32 @prlimit(i32, i32, ptr, ptr) #6

define i32 @em.run.open(ptr %path, i32 %flags, i32 %mode) #0 {
entry:
  %call = call i32 (ptr, i32, ...) @open(ptr %path, i32 %flags, i32 %mode) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @open(ptr, i32, ...) #4

define i32 @em.run.openat(i32 %folder, ptr %path, i32 %flags, i32 %mode) #0 {
entry:
  %call = call i32 (i32, ptr, i32, ...) @openat(i32 %folder, ptr %path, i32 %flags, i32 %mode) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @openat(i32, ptr, i32, ...) #4

define i32 @em.run.creat(ptr %path, i32 %mode) #0 {
entry:
  %call = call i32 @creat(ptr %path, i32 %mode) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @creat(ptr, i32) #4

define i32 @em.run.dup(i32 %from) #0 {
entry:
  %call = call i32 @dup(i32 %from) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @dup(i32) #6

define i32 @em.run.socket(i32 %domain, i32 %type, i32 %protocol) #0 {
entry:
  %call = call i32 @socket(i32 %domain, i32 %type, i32 %protocol) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @socket(i32, i32, i32) #6

define i32 @em.run.accept(i32 %from, ptr %who, ptr %size) #0 {
entry:
  %call = call i32 @accept(i32 %from, ptr %who, ptr %size) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @accept(i32, ptr, ptr) #4

define i32 @em.run.accept4(i32 %from, ptr %who, ptr %size, i32 %flags) #0 {
entry:
  %call = call i32 @accept4(i32 %from, ptr %who, ptr %size, i32 %flags) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @accept4(i32, ptr, ptr, i32) #4

define i32 @em.run.mkstemp(ptr %path) #0 {
entry:
  %call = call i32 @mkstemp(ptr %path) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @mkstemp(ptr) #4

define i32 @em.run.mkostemp(ptr %path, i32 %flags) #0 {
entry:
  %call = call i32 @mkostemp(ptr %path, i32 %flags) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @mkostemp(ptr, i32) #4

define i32 @em.run.memfd_create(ptr %name, i32 %flags) #0 {
entry:
  %call = call i32 @memfd_create(ptr %name, i32 %flags) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @memfd_create(ptr, i32) #6

define i32 @em.run.shm_open(ptr %name, i32 %flags, i32 %mode) #0 {
entry:
  %call = call ptr @dlsym(ptr null, ptr nonnull @.str.11) #9
  %call1 = call i32 %call(ptr %name, i32 %flags, i32 %mode) #9
  %call2 = call i32 @ours(i32 %call1)
  ret i32 %call2
}

declare ptr @dlsym(ptr, ptr) #6

define i32 @em.run.eventfd(i32 %first, i32 %flags) #0 {
entry:
  %call = call i32 @eventfd(i32 %first, i32 %flags) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @eventfd(i32, i32) #6

define i32 @em.run.epoll_create1(i32 %flags) #0 {
entry:
  %call = call i32 @epoll_create1(i32 %flags) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @epoll_create1(i32) #6

define i32 @em.run.timerfd_create(i32 %clock, i32 %flags) #0 {
entry:
  %call = call i32 @timerfd_create(i32 %clock, i32 %flags) #9
  %call1 = call i32 @ours(i32 %call)
  ret i32 %call1
}

declare i32 @timerfd_create(i32, i32) #6

define i32 @em.run.fileno(ptr %file) #0 {
entry:
  %call = call i32 @fileno(ptr %file) #9
  %0 = load ptr, ptr @stdin, align 8, !tbaa !13
  %cmp = icmp eq ptr %file, %0
  %1 = load ptr, ptr @stdout, align 8
  %cmp1 = icmp eq ptr %file, %1
  %or.cond = select i1 %cmp, i1 true, i1 %cmp1
  %2 = load ptr, ptr @stderr, align 8
  %cmp3 = icmp eq ptr %file, %2
  %or.cond5 = select i1 %or.cond, i1 true, i1 %cmp3
  br i1 %or.cond5, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %call4 = call i32 @ours(i32 %call)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i32 [ %call4, %cond.false ], [ %call, %entry ]
  ret i32 %cond
}

declare i32 @fileno(ptr) #6

define i32 @em.run.pipe(ptr %made) #0 {
entry:
  %call = call i32 @pipe(ptr %made) #9
  %call1 = call i32 @both(i32 %call, ptr %made)
  ret i32 %call1
}

define internal i32 @both(i32 %failed, ptr %made) #0 {
entry:
  %tobool.not = icmp eq i32 %failed, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %0 = load i32, ptr %made, align 4, !tbaa !16
  %call = call i32 @ours(i32 %0)
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %made, i64 4
  %1 = load i32, ptr %arrayidx1, align 4, !tbaa !16
  %call2 = call i32 @ours(i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret i32 %failed
}

declare i32 @pipe(ptr) #6

define i32 @em.run.pipe2(ptr %made, i32 %flags) #0 {
entry:
  %call = call i32 @pipe2(ptr %made, i32 %flags) #9
  %call1 = call i32 @both(i32 %call, ptr %made)
  ret i32 %call1
}

declare i32 @pipe2(ptr, i32) #6

define i32 @em.run.socketpair(i32 %domain, i32 %type, i32 %protocol, ptr %made) #0 {
entry:
  %call = call i32 @socketpair(i32 %domain, i32 %type, i32 %protocol, ptr %made) #9
  %call1 = call i32 @both(i32 %call, ptr %made)
  ret i32 %call1
}

declare i32 @socketpair(i32, i32, i32, ptr) #6

define i32 @em.run.fcntl(i32 %number, i32 %what, i64 %value) #0 {
entry:
  %call = call i32 (i32, i32, ...) @fcntl(i32 %number, i32 %what, i64 %value) #9
  switch i32 %what, label %cond.end [
    i32 0, label %cond.true
    i32 1030, label %cond.true
  ]

cond.true:                                        ; preds = %entry, %entry
  %call2 = call i32 @ours(i32 %call)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %call2, %cond.true ], [ %call, %entry ]
  ret i32 %cond
}

declare i32 @fcntl(i32, i32, ...) #4

declare i32 @fstat(i32, ptr) #6

declare i32 @llvm.smax.i32(i32, i32) #8

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #4 = { "no-trapping-math"="true" }
attributes #5 = { cold noreturn "no-trapping-math"="true" }
attributes #6 = { nounwind "no-trapping-math"="true" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nounwind }
attributes #10 = { cold noreturn nounwind }

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !1, i64 0}
!5 = !{!"stat", !1, i64 0, !1, i64 8, !6, i64 16, !6, i64 20, !6, i64 24, !6, i64 28, !1, i64 32, !1, i64 40, !1, i64 48, !6, i64 56, !6, i64 60, !1, i64 64, !7, i64 72, !7, i64 88, !7, i64 104, !2, i64 120}
!6 = !{!"int", !2, i64 0}
!7 = !{!"timespec", !1, i64 0, !1, i64 8}
!8 = !{!5, !1, i64 8}
!9 = !{!10, !1, i64 0}
!10 = !{!"rlimit", !1, i64 0, !1, i64 8}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 _ZTS8_IO_FILE", !15, i64 0}
!15 = !{!"any pointer", !2, i64 0}
!16 = !{!6, !6, i64 0}
