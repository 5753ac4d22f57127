%struct.__va_list = type { ptr, ptr, ptr, i32, i32 }

@.str = private unnamed_addr constant [9 x i8] c"execve()\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"fexecve()\00", align 1
@.str.2 = private unnamed_addr constant [8 x i8] c"execv()\00", align 1
@.str.3 = private unnamed_addr constant [9 x i8] c"execvp()\00", align 1
@.str.4 = private unnamed_addr constant [10 x i8] c"execvpe()\00", align 1
@.str.5 = private unnamed_addr constant [8 x i8] c"execl()\00", align 1
@.str.6 = private unnamed_addr constant [9 x i8] c"execlp()\00", align 1
@.str.7 = private unnamed_addr constant [9 x i8] c"execle()\00", align 1
@.str.8 = private unnamed_addr constant [9 x i8] c"daemon()\00", align 1
@.str.9 = private unnamed_addr constant [19 x i8] c"syscall(SYS_clone)\00", align 1
@.str.10 = private unnamed_addr constant [26 x i8] c"syscall(SYS_rt_sigaction)\00", align 1
@.str.11 = private unnamed_addr constant [6 x i8] c"close\00", align 1
@.str.12 = private unnamed_addr constant [5 x i8] c"dup3\00", align 1
@.str.13 = private unnamed_addr constant [12 x i8] c"close_range\00", align 1
@.str.14 = private unnamed_addr constant [10 x i8] c"setrlimit\00", align 1
@stdout = external global ptr, align 8
@stderr = external global ptr, align 8
@.str.15 = private unnamed_addr constant [8 x i8] c"%s:%u: \00", align 1
@.str.16 = private unnamed_addr constant [5 x i8] c": %s\00", align 1

define void @em.run.verr(i32 %status, ptr %format, ptr dead_on_return %list) #0 {
entry:
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @vwarn(ptr %format, ptr dead_on_return nonnull %byval-temp) #13
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  call void @ends(i32 %status)
  ret void
}

declare void @vwarn(ptr, ptr dead_on_return) #1

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define internal void @ends(i32 %status) #0 {
entry:
  call void @em.run.leave(i32 1, i32 %status, ptr null, ptr null, ptr null, i64 0) #14
  unreachable
}

define void @em.run.verrx(i32 %status, ptr %format, ptr dead_on_return %list) #0 {
entry:
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @vwarnx(ptr %format, ptr dead_on_return nonnull %byval-temp) #12
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  call void @ends(i32 %status)
  ret void
}

declare void @vwarnx(ptr, ptr dead_on_return) #4

define void @em.run.err(i32 %status, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @em.run.verr(i32 %status, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  ret void
}

declare void @llvm.va_start.p0(ptr) #5

declare void @llvm.va_end.p0(ptr) #5

define void @em.run.errx(i32 %status, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @em.run.verrx(i32 %status, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  ret void
}

define void @em.run.error(i32 %status, i32 %number, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @reports(i32 %status, i32 %number, ptr null, i32 0, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  ret void
}

define internal void @reports(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ptr dead_on_return %list) #0 {
entry:
  %byval-temp = alloca %struct.__va_list, align 8
  %0 = load ptr, ptr @stdout, align 8, !tbaa !7
  %call = call i32 @fflush(ptr %0) #12
  %tobool.not = icmp eq ptr %file, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr @stderr, align 8, !tbaa !7
  %call1 = call i32 (ptr, ptr, ...) @fprintf(ptr %1, ptr nonnull @.str.15, ptr nonnull %file, i32 %line) #13
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %2 = load ptr, ptr @stderr, align 8, !tbaa !7
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  %call2 = call i32 @vfprintf(ptr %2, ptr %format, ptr dead_on_return nonnull %byval-temp) #13
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  %tobool3.not = icmp eq i32 %number, 0
  br i1 %tobool3.not, label %if.end7, label %if.then4

if.then4:                                         ; preds = %if.end
  %3 = load ptr, ptr @stderr, align 8, !tbaa !7
  %call5 = call ptr @strerror(i32 %number) #12
  %call6 = call i32 (ptr, ptr, ...) @fprintf(ptr %3, ptr nonnull @.str.16, ptr %call5) #13
  br label %if.end7

if.end7:                                          ; preds = %if.then4, %if.end
  %4 = load ptr, ptr @stderr, align 8, !tbaa !7
  %call8 = call i32 @fputc(i32 10, ptr %4) #12
  %tobool9.not = icmp eq i32 %status, 0
  br i1 %tobool9.not, label %if.end11, label %if.then10

if.then10:                                        ; preds = %if.end7
  call void @ends(i32 %status)
  br label %if.end11

if.end11:                                         ; preds = %if.then10, %if.end7
  ret void
}

define void @em.run.error_at_line(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #12
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @reports(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #12
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  ret void
}

define i32 @em.run.execve(ptr %path, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str)
  %call = call i32 @execve(ptr %path, ptr %words, ptr %environment) #12
  ret i32 %call
}

define internal void @replaces(ptr %name) #0 {
entry:
  %call = call i32 @em.run.is_called() #12
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @em.run.leave(i32 1, i32 0, ptr %name, ptr null, ptr null, i64 0) #14
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare i32 @execve(ptr, ptr, ptr) #6

define i32 @em.run.fexecve(i32 %file, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str.1)
  %call = call i32 @fexecve(i32 %file, ptr %words, ptr %environment) #12
  ret i32 %call
}

declare i32 @fexecve(i32, ptr, ptr) #6

define i32 @em.run.execv(ptr %path, ptr %words) #0 {
entry:
  call void @replaces(ptr nonnull @.str.2)
  %call = call i32 @execv(ptr %path, ptr %words) #12
  ret i32 %call
}

declare i32 @execv(ptr, ptr) #6

define i32 @em.run.execvp(ptr %file, ptr %words) #0 {
entry:
  call void @replaces(ptr nonnull @.str.3)
  %call = call i32 @execvp(ptr %file, ptr %words) #12
  ret i32 %call
}

declare i32 @execvp(ptr, ptr) #6

define i32 @em.run.execvpe(ptr %file, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str.4)
  %call = call i32 @execvpe(ptr %file, ptr %words, ptr %environment) #12
  ret i32 %call
}

declare i32 @execvpe(ptr, ptr, ptr) #6

define i32 @em.run.execl(ptr %path, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 8
  %list = alloca %struct.__va_list, align 8
  call void @replaces(ptr nonnull @.str.5)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #12
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  br label %while.cond

while.cond:                                       ; preds = %vaarg.end, %entry
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %vaarg.end ]
  %cmp = icmp samesign ult i32 %count.0, 1023
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %idxprom = zext nneg i32 %count.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !9
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %gr_offs_p = getelementptr inbounds nuw i8, ptr %list, i64 24
  %gr_offs = load i32, ptr %gr_offs_p, align 8
  %1 = icmp sgt i32 %gr_offs, -1
  br i1 %1, label %vaarg.on_stack, label %vaarg.maybe_reg

vaarg.maybe_reg:                                  ; preds = %while.body
  %new_reg_offs = add nsw i32 %gr_offs, 8
  store i32 %new_reg_offs, ptr %gr_offs_p, align 8
  %inreg = icmp slt i32 %gr_offs, -7
  br i1 %inreg, label %vaarg.in_reg, label %vaarg.on_stack

vaarg.in_reg:                                     ; preds = %vaarg.maybe_reg
  %reg_top_p = getelementptr inbounds nuw i8, ptr %list, i64 8
  %reg_top = load ptr, ptr %reg_top_p, align 8
  %2 = sext i32 %gr_offs to i64
  %3 = getelementptr inbounds i8, ptr %reg_top, i64 %2
  br label %vaarg.end

vaarg.on_stack:                                   ; preds = %vaarg.maybe_reg, %while.body
  %stack = load ptr, ptr %list, align 8
  %new_stack = getelementptr inbounds nuw i8, ptr %stack, i64 8
  store ptr %new_stack, ptr %list, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.on_stack, %vaarg.in_reg
  %vaargs.addr = phi ptr [ %3, %vaarg.in_reg ], [ %stack, %vaarg.on_stack ]
  %4 = load ptr, ptr %vaargs.addr, align 8, !tbaa !9
  %inc = add nuw nsw i32 %count.0, 1
  %idxprom1 = zext nneg i32 %inc to i64
  %arrayidx2 = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom1
  store ptr %4, ptr %arrayidx2, align 8, !tbaa !9
  br label %while.cond, !llvm.loop !11

while.end:                                        ; preds = %while.cond, %land.rhs
  %cmp3 = icmp eq i32 %count.0, 1023
  br i1 %cmp3, label %cond.true, label %cond.false

cond.true:                                        ; preds = %while.end
  %call = call ptr @__errno_location() #15
  store i32 7, ptr %call, align 4, !tbaa !5
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %call4 = call i32 @execv(ptr %path, ptr nonnull %words) #12
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call4, %cond.false ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #12
  ret i32 %cond
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

declare ptr @__errno_location() #8

define i32 @em.run.execlp(ptr %file, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 8
  %list = alloca %struct.__va_list, align 8
  call void @replaces(ptr nonnull @.str.6)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #12
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  br label %while.cond

while.cond:                                       ; preds = %vaarg.end, %entry
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %vaarg.end ]
  %cmp = icmp samesign ult i32 %count.0, 1023
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %idxprom = zext nneg i32 %count.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !9
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %gr_offs_p = getelementptr inbounds nuw i8, ptr %list, i64 24
  %gr_offs = load i32, ptr %gr_offs_p, align 8
  %1 = icmp sgt i32 %gr_offs, -1
  br i1 %1, label %vaarg.on_stack, label %vaarg.maybe_reg

vaarg.maybe_reg:                                  ; preds = %while.body
  %new_reg_offs = add nsw i32 %gr_offs, 8
  store i32 %new_reg_offs, ptr %gr_offs_p, align 8
  %inreg = icmp slt i32 %gr_offs, -7
  br i1 %inreg, label %vaarg.in_reg, label %vaarg.on_stack

vaarg.in_reg:                                     ; preds = %vaarg.maybe_reg
  %reg_top_p = getelementptr inbounds nuw i8, ptr %list, i64 8
  %reg_top = load ptr, ptr %reg_top_p, align 8
  %2 = sext i32 %gr_offs to i64
  %3 = getelementptr inbounds i8, ptr %reg_top, i64 %2
  br label %vaarg.end

vaarg.on_stack:                                   ; preds = %vaarg.maybe_reg, %while.body
  %stack = load ptr, ptr %list, align 8
  %new_stack = getelementptr inbounds nuw i8, ptr %stack, i64 8
  store ptr %new_stack, ptr %list, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.on_stack, %vaarg.in_reg
  %vaargs.addr = phi ptr [ %3, %vaarg.in_reg ], [ %stack, %vaarg.on_stack ]
  %4 = load ptr, ptr %vaargs.addr, align 8, !tbaa !9
  %inc = add nuw nsw i32 %count.0, 1
  %idxprom1 = zext nneg i32 %inc to i64
  %arrayidx2 = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom1
  store ptr %4, ptr %arrayidx2, align 8, !tbaa !9
  br label %while.cond, !llvm.loop !13

while.end:                                        ; preds = %while.cond, %land.rhs
  %cmp3 = icmp eq i32 %count.0, 1023
  br i1 %cmp3, label %cond.true, label %cond.false

cond.true:                                        ; preds = %while.end
  %call = call ptr @__errno_location() #15
  store i32 7, ptr %call, align 4, !tbaa !5
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %call4 = call i32 @execvp(ptr %file, ptr nonnull %words) #12
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call4, %cond.false ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #12
  ret i32 %cond
}

define i32 @em.run.execle(ptr %path, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 8
  %list = alloca %struct.__va_list, align 8
  call void @replaces(ptr nonnull @.str.7)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #12
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #12
  call void @llvm.va_start.p0(ptr nonnull %list)
  br label %while.cond

while.cond:                                       ; preds = %vaarg.end, %entry
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %vaarg.end ]
  %cmp = icmp samesign ult i32 %count.0, 1023
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %idxprom = zext nneg i32 %count.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !9
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %gr_offs_p = getelementptr inbounds nuw i8, ptr %list, i64 24
  %gr_offs = load i32, ptr %gr_offs_p, align 8
  %1 = icmp sgt i32 %gr_offs, -1
  br i1 %1, label %vaarg.on_stack, label %vaarg.maybe_reg

vaarg.maybe_reg:                                  ; preds = %while.body
  %new_reg_offs = add nsw i32 %gr_offs, 8
  store i32 %new_reg_offs, ptr %gr_offs_p, align 8
  %inreg = icmp slt i32 %gr_offs, -7
  br i1 %inreg, label %vaarg.in_reg, label %vaarg.on_stack

vaarg.in_reg:                                     ; preds = %vaarg.maybe_reg
  %reg_top_p = getelementptr inbounds nuw i8, ptr %list, i64 8
  %reg_top = load ptr, ptr %reg_top_p, align 8
  %2 = sext i32 %gr_offs to i64
  %3 = getelementptr inbounds i8, ptr %reg_top, i64 %2
  br label %vaarg.end

vaarg.on_stack:                                   ; preds = %vaarg.maybe_reg, %while.body
  %stack = load ptr, ptr %list, align 8
  %new_stack = getelementptr inbounds nuw i8, ptr %stack, i64 8
  store ptr %new_stack, ptr %list, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.on_stack, %vaarg.in_reg
  %vaargs.addr = phi ptr [ %3, %vaarg.in_reg ], [ %stack, %vaarg.on_stack ]
  %4 = load ptr, ptr %vaargs.addr, align 8, !tbaa !9
  %inc = add nuw nsw i32 %count.0, 1
  %idxprom1 = zext nneg i32 %inc to i64
  %arrayidx2 = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom1
  store ptr %4, ptr %arrayidx2, align 8, !tbaa !9
  br label %while.cond, !llvm.loop !14

while.end:                                        ; preds = %while.cond, %land.rhs
  %cmp3 = icmp eq i32 %count.0, 1023
  br i1 %cmp3, label %cond.true, label %cond.false

cond.true:                                        ; preds = %while.end
  %call = call ptr @__errno_location() #15
  store i32 7, ptr %call, align 4, !tbaa !5
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %gr_offs_p4 = getelementptr inbounds nuw i8, ptr %list, i64 24
  %gr_offs5 = load i32, ptr %gr_offs_p4, align 8
  %5 = icmp sgt i32 %gr_offs5, -1
  br i1 %5, label %vaarg.on_stack12, label %vaarg.maybe_reg6

vaarg.maybe_reg6:                                 ; preds = %cond.false
  %new_reg_offs7 = add nsw i32 %gr_offs5, 8
  store i32 %new_reg_offs7, ptr %gr_offs_p4, align 8
  %inreg8 = icmp slt i32 %gr_offs5, -7
  br i1 %inreg8, label %vaarg.in_reg9, label %vaarg.on_stack12

vaarg.in_reg9:                                    ; preds = %vaarg.maybe_reg6
  %reg_top_p10 = getelementptr inbounds nuw i8, ptr %list, i64 8
  %reg_top11 = load ptr, ptr %reg_top_p10, align 8
  %6 = sext i32 %gr_offs5 to i64
  %7 = getelementptr inbounds i8, ptr %reg_top11, i64 %6
  br label %vaarg.end16

vaarg.on_stack12:                                 ; preds = %vaarg.maybe_reg6, %cond.false
  %stack14 = load ptr, ptr %list, align 8
  %new_stack15 = getelementptr inbounds nuw i8, ptr %stack14, i64 8
  store ptr %new_stack15, ptr %list, align 8
  br label %vaarg.end16

vaarg.end16:                                      ; preds = %vaarg.on_stack12, %vaarg.in_reg9
  %vaargs.addr17 = phi ptr [ %7, %vaarg.in_reg9 ], [ %stack14, %vaarg.on_stack12 ]
  %8 = load ptr, ptr %vaargs.addr17, align 8, !tbaa !15
  %call18 = call i32 @execve(ptr %path, ptr nonnull %words, ptr %8) #12
  br label %cond.end

cond.end:                                         ; preds = %vaarg.end16, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call18, %vaarg.end16 ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #12
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #12
  ret i32 %cond
}

define i32 @em.run.daemon(i32 %stays, i32 %keeps) #0 {
entry:
  call void @replaces(ptr nonnull @.str.8)
  %call = call i32 @daemon(i32 %stays, i32 %keeps) #12
  ret i32 %call
}

declare i32 @daemon(i32, i32) #6

define i64 @em.run.syscall(i64 %number, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) #9 {
entry:
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call = call i32 @em.run.is_called() #12
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end70, label %if.then

if.then:                                          ; preds = %entry
  switch i64 %number, label %if.end70 [
    i64 93, label %sw.bb
    i64 94, label %sw.bb
    i64 221, label %sw.bb1
    i64 281, label %sw.bb1
    i64 220, label %sw.bb2
    i64 435, label %sw.bb2
    i64 129, label %sw.bb3
    i64 130, label %sw.bb8
    i64 131, label %sw.bb14
    i64 138, label %sw.bb20
    i64 240, label %sw.bb29
    i64 103, label %sw.bb41
    i64 107, label %sw.bb47
    i64 134, label %sw.bb53
    i64 135, label %sw.bb53
    i64 132, label %sw.bb53
    i64 57, label %sw.bb54
    i64 24, label %sw.bb56
    i64 436, label %sw.bb58
    i64 164, label %if.then68
    i64 261, label %lor.lhs.false
  ]

sw.bb:                                            ; preds = %if.then, %if.then
  %conv = trunc i64 %a to i32
  call void @ends(i32 %conv)
  br label %if.end70

sw.bb1:                                           ; preds = %if.then, %if.then
  call void @replaces(ptr nonnull @.str)
  br label %if.end70

sw.bb2:                                           ; preds = %if.then, %if.then
  call void @replaces(ptr nonnull @.str.9)
  br label %if.end70

sw.bb3:                                           ; preds = %if.then
  %conv4 = trunc i64 %a to i32
  %conv5 = trunc i64 %b to i32
  %call6 = call i32 @em.run.kill(i32 %conv4, i32 %conv5) #12
  %conv7 = sext i32 %call6 to i64
  br label %cleanup

sw.bb8:                                           ; preds = %if.then
  %call9 = call i32 @getpid() #12
  %conv10 = trunc i64 %a to i32
  %conv11 = trunc i64 %b to i32
  %call12 = call i32 @em.run.tgkill(i32 %call9, i32 %conv10, i32 %conv11) #12
  %conv13 = sext i32 %call12 to i64
  br label %cleanup

sw.bb14:                                          ; preds = %if.then
  %conv15 = trunc i64 %a to i32
  %conv16 = trunc i64 %b to i32
  %conv17 = trunc i64 %c to i32
  %call18 = call i32 @em.run.tgkill(i32 %conv15, i32 %conv16, i32 %conv17) #12
  %conv19 = sext i32 %call18 to i64
  br label %cleanup

sw.bb20:                                          ; preds = %if.then
  %tobool21.not = icmp eq i64 %b, 0
  br i1 %tobool21.not, label %if.end70, label %land.lhs.true

land.lhs.true:                                    ; preds = %sw.bb20
  %call22 = call i32 @getpid() #12
  %conv23 = sext i32 %call22 to i64
  %cmp = icmp eq i64 %a, %conv23
  br i1 %cmp, label %if.then25, label %if.end70

if.then25:                                        ; preds = %land.lhs.true
  %conv26 = trunc i64 %b to i32
  %call27 = call i32 @em.run.raise_from(i32 %conv26, ptr %0) #12
  %conv28 = sext i32 %call27 to i64
  br label %cleanup

sw.bb29:                                          ; preds = %if.then
  %tobool30.not = icmp eq i64 %c, 0
  br i1 %tobool30.not, label %if.end70, label %land.lhs.true31

land.lhs.true31:                                  ; preds = %sw.bb29
  %call32 = call i32 @getpid() #12
  %conv33 = sext i32 %call32 to i64
  %cmp34 = icmp eq i64 %a, %conv33
  br i1 %cmp34, label %if.then36, label %if.end70

if.then36:                                        ; preds = %land.lhs.true31
  %conv37 = trunc i64 %c to i32
  %call38 = call i32 @em.run.raise_from(i32 %conv37, ptr %0) #12
  %conv39 = sext i32 %call38 to i64
  br label %cleanup

sw.bb41:                                          ; preds = %if.then
  %cmp42 = icmp eq i64 %a, 2
  %cmp44 = icmp eq i64 %a, 1
  %cond = select i1 %cmp44, i32 26, i32 14
  %cond46 = select i1 %cmp42, i32 27, i32 %cond
  call void @watched(i32 %cond46, ptr %0)
  br label %if.end70

sw.bb47:                                          ; preds = %if.then
  %tobool48.not = icmp eq i64 %b, 0
  br i1 %tobool48.not, label %cond.end51, label %cond.true49

cond.true49:                                      ; preds = %sw.bb47
  %1 = inttoptr i64 %b to ptr
  %sigev_signo = getelementptr inbounds nuw i8, ptr %1, i64 8
  %2 = load i32, ptr %sigev_signo, align 8, !tbaa !18
  br label %cond.end51

cond.end51:                                       ; preds = %sw.bb47, %cond.true49
  %cond52 = phi i32 [ %2, %cond.true49 ], [ 14, %sw.bb47 ]
  call void @watched(i32 %cond52, ptr %0)
  br label %if.end70

sw.bb53:                                          ; preds = %if.then, %if.then, %if.then
  call void @replaces(ptr nonnull @.str.10)
  br label %if.end70

sw.bb54:                                          ; preds = %if.then
  %conv55 = trunc i64 %a to i32
  call void @spare_kernel(i32 %conv55, ptr nonnull @.str.11, ptr %0)
  br label %if.end70

sw.bb56:                                          ; preds = %if.then
  %conv57 = trunc i64 %b to i32
  call void @spare_kernel(i32 %conv57, ptr nonnull @.str.12, ptr %0)
  br label %if.end70

sw.bb58:                                          ; preds = %if.then
  %and = and i64 %c, 4
  %tobool59.not = icmp eq i64 %and, 0
  br i1 %tobool59.not, label %if.then60, label %if.end70

if.then60:                                        ; preds = %sw.bb58
  %conv61 = trunc i64 %a to i32
  %conv62 = trunc i64 %b to i32
  call void @em.run.spare_range(i32 %conv61, i32 %conv62, ptr nonnull @.str.13, ptr %0) #12
  br label %if.end70

lor.lhs.false:                                    ; preds = %if.then
  %tobool67.not = icmp eq i64 %c, 0
  br i1 %tobool67.not, label %if.end70, label %if.then68

if.then68:                                        ; preds = %if.then, %lor.lhs.false
  call void @em.run.leave(i32 14, i32 -1, ptr nonnull @.str.14, ptr null, ptr %0, i64 0) #14
  unreachable

if.end70:                                         ; preds = %sw.bb, %sw.bb1, %sw.bb2, %sw.bb41, %cond.end51, %sw.bb53, %sw.bb54, %sw.bb56, %land.lhs.true, %sw.bb20, %land.lhs.true31, %sw.bb29, %if.then60, %sw.bb58, %lor.lhs.false, %if.then, %entry
  %call71 = call i64 (i64, ...) @syscall(i64 %number, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) #12
  br label %cleanup

cleanup:                                          ; preds = %if.end70, %if.then36, %if.then25, %sw.bb14, %sw.bb8, %sw.bb3
  %retval.0 = phi i64 [ %call71, %if.end70 ], [ %conv7, %sw.bb3 ], [ %conv13, %sw.bb8 ], [ %conv19, %sw.bb14 ], [ %conv28, %if.then25 ], [ %conv39, %if.then36 ]
  ret i64 %retval.0
}

declare ptr @llvm.returnaddress(i32 immarg) #10

declare i32 @em.run.is_called() #4

declare i32 @em.run.kill(i32, i32) #4

declare i32 @em.run.tgkill(i32, i32, i32) #4

declare i32 @getpid() #6

declare i32 @em.run.raise_from(i32, ptr) #4

define internal void @watched(i32 %number, ptr %place) #0 {
entry:
  %call = call i1 @em.run.watch(i32 %number, ptr %place) #12
  br i1 %call, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %call1 = call i32 @em.run.raise_from(i32 %number, ptr %place) #12
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define internal void @spare_kernel(i32 %number, ptr %name, ptr %place) #0 {
entry:
  %call = call i1 @em.run.is_kernels(i32 %number) #12
  br i1 %call, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @em.run.leave(i32 14, i32 %number, ptr %name, ptr null, ptr %place, i64 0) #14
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare void @em.run.spare_range(i32, i32, ptr, ptr) #4

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #11

declare i64 @syscall(i64, ...) #6

declare i32 @fflush(ptr) #4

declare i32 @fprintf(ptr, ptr, ...) #6

declare i32 @vfprintf(ptr, ptr, ptr dead_on_return) #6

declare ptr @strerror(i32) #6

declare i32 @fputc(i32, ptr) #4

declare i1 @em.run.watch(i32, ptr) #4

declare i1 @em.run.is_kernels(i32) #4

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { cold "no-trapping-math"="true" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { "no-trapping-math"="true" }
attributes #5 = { nocallback nofree nosync nounwind willreturn }
attributes #6 = { nounwind "no-trapping-math"="true" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #9 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #10 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #11 = { cold noreturn "no-trapping-math"="true" }
attributes #12 = { nounwind }
attributes #13 = { cold nounwind }
attributes #14 = { cold noreturn nounwind }
attributes #15 = { nounwind willreturn memory(none) }

!0 = !{i64 0, i64 8, !1, i64 8, i64 8, !1, i64 16, i64 8, !1, i64 24, i64 4, !5, i64 28, i64 4, !5}
!1 = !{!2, !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !3, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"p1 _ZTS8_IO_FILE", !2, i64 0}
!9 = !{!10, !10, i64 0}
!10 = !{!"p1 omnipotent char", !2, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !12}
!15 = !{!16, !16, i64 0}
!16 = !{!"p2 omnipotent char", !17, i64 0}
!17 = !{!"any p2 pointer", !2, i64 0}
!18 = !{!19, !6, i64 8}
!19 = !{!"sigevent", !3, i64 0, !6, i64 8, !6, i64 12, !3, i64 16}
