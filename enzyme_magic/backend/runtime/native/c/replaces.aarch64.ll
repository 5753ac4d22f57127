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
@stdout = external global ptr, align 8
@stderr = external global ptr, align 8
@.str.9 = private unnamed_addr constant [8 x i8] c"%s:%u: \00", align 1
@.str.10 = private unnamed_addr constant [5 x i8] c": %s\00", align 1

define void @em.run.verr(i32 %status, ptr %format, ptr dead_on_return %list) #0 {
entry:
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @vwarn(ptr %format, ptr dead_on_return nonnull %byval-temp) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  call void @ends(i32 %status)
  ret void
}

declare void @vwarn(ptr, ptr dead_on_return) #1

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define internal void @ends(i32 %status) #0 {
entry:
  call void @em.run.leave(i32 1, i32 %status, ptr null, ptr null, ptr null, i64 0) #12
  unreachable
}

define void @em.run.verrx(i32 %status, ptr %format, ptr dead_on_return %list) #0 {
entry:
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @vwarnx(ptr %format, ptr dead_on_return nonnull %byval-temp) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  call void @ends(i32 %status)
  ret void
}

declare void @vwarnx(ptr, ptr dead_on_return) #4

define void @em.run.err(i32 %status, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @em.run.verr(i32 %status, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  ret void
}

declare void @llvm.va_start.p0(ptr) #5

declare void @llvm.va_end.p0(ptr) #5

define void @em.run.errx(i32 %status, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @em.run.verrx(i32 %status, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  ret void
}

define void @em.run.error(i32 %status, i32 %number, ptr %format, ...) #0 {
entry:
  %list = alloca %struct.__va_list, align 8
  %byval-temp = alloca %struct.__va_list, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @reports(i32 %status, i32 %number, ptr null, i32 0, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  ret void
}

define internal void @reports(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ptr dead_on_return %list) #0 {
entry:
  %byval-temp = alloca %struct.__va_list, align 8
  %0 = load ptr, ptr @stdout, align 8, !tbaa !7
  %call = call i32 @fflush(ptr %0) #10
  %tobool.not = icmp eq ptr %file, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr @stderr, align 8, !tbaa !7
  %call1 = call i32 (ptr, ptr, ...) @fprintf(ptr %1, ptr nonnull @.str.9, ptr nonnull %file, i32 %line) #11
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %2 = load ptr, ptr @stderr, align 8, !tbaa !7
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  %call2 = call i32 @vfprintf(ptr %2, ptr %format, ptr dead_on_return nonnull %byval-temp) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  %tobool3.not = icmp eq i32 %number, 0
  br i1 %tobool3.not, label %if.end7, label %if.then4

if.then4:                                         ; preds = %if.end
  %3 = load ptr, ptr @stderr, align 8, !tbaa !7
  %call5 = call ptr @strerror(i32 %number) #10
  %call6 = call i32 (ptr, ptr, ...) @fprintf(ptr %3, ptr nonnull @.str.10, ptr %call5) #11
  br label %if.end7

if.end7:                                          ; preds = %if.then4, %if.end
  %4 = load ptr, ptr @stderr, align 8, !tbaa !7
  %call8 = call i32 @fputc(i32 10, ptr %4) #10
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
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @llvm.lifetime.start.p0(ptr nonnull %byval-temp) #10
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %byval-temp, ptr noundef nonnull align 8 dereferenceable(32) %list, i64 32, i1 false), !tbaa.struct !0
  call void @reports(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ptr dead_on_return nonnull %byval-temp)
  call void @llvm.lifetime.end.p0(ptr nonnull %byval-temp) #10
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  ret void
}

define i32 @em.run.execve(ptr %path, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str)
  %call = call i32 @execve(ptr %path, ptr %words, ptr %environment) #10
  ret i32 %call
}

define internal void @replaces(ptr %name) #0 {
entry:
  %call = call i32 @em.run.is_called() #10
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @em.run.leave(i32 1, i32 0, ptr %name, ptr null, ptr null, i64 0) #12
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare i32 @execve(ptr, ptr, ptr) #6

define i32 @em.run.fexecve(i32 %file, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str.1)
  %call = call i32 @fexecve(i32 %file, ptr %words, ptr %environment) #10
  ret i32 %call
}

declare i32 @fexecve(i32, ptr, ptr) #6

define i32 @em.run.execv(ptr %path, ptr %words) #0 {
entry:
  call void @replaces(ptr nonnull @.str.2)
  %call = call i32 @execv(ptr %path, ptr %words) #10
  ret i32 %call
}

declare i32 @execv(ptr, ptr) #6

define i32 @em.run.execvp(ptr %file, ptr %words) #0 {
entry:
  call void @replaces(ptr nonnull @.str.3)
  %call = call i32 @execvp(ptr %file, ptr %words) #10
  ret i32 %call
}

declare i32 @execvp(ptr, ptr) #6

define i32 @em.run.execvpe(ptr %file, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str.4)
  %call = call i32 @execvpe(ptr %file, ptr %words, ptr %environment) #10
  ret i32 %call
}

declare i32 @execvpe(ptr, ptr, ptr) #6

define i32 @em.run.execl(ptr %path, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 8
  %list = alloca %struct.__va_list, align 8
  call void @replaces(ptr nonnull @.str.5)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #10
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
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
  %call = call ptr @__errno_location() #13
  store i32 7, ptr %call, align 4, !tbaa !5
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %call4 = call i32 @execv(ptr %path, ptr nonnull %words) #10
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call4, %cond.false ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #10
  ret i32 %cond
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

declare ptr @__errno_location() #8

define i32 @em.run.execlp(ptr %file, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 8
  %list = alloca %struct.__va_list, align 8
  call void @replaces(ptr nonnull @.str.6)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #10
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
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
  %call = call ptr @__errno_location() #13
  store i32 7, ptr %call, align 4, !tbaa !5
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %call4 = call i32 @execvp(ptr %file, ptr nonnull %words) #10
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call4, %cond.false ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #10
  ret i32 %cond
}

define i32 @em.run.execle(ptr %path, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 8
  %list = alloca %struct.__va_list, align 8
  call void @replaces(ptr nonnull @.str.7)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #10
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #10
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
  %call = call ptr @__errno_location() #13
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
  %call18 = call i32 @execve(ptr %path, ptr nonnull %words, ptr %8) #10
  br label %cond.end

cond.end:                                         ; preds = %vaarg.end16, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call18, %vaarg.end16 ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #10
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #10
  ret i32 %cond
}

define i32 @em.run.daemon(i32 %stays, i32 %keeps) #0 {
entry:
  call void @replaces(ptr nonnull @.str.8)
  %call = call i32 @daemon(i32 %stays, i32 %keeps) #10
  ret i32 %call
}

declare i32 @daemon(i32, i32) #6

define i64 @em.run.syscall(i64 %number, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) #0 {
entry:
  %call = call i32 @em.run.is_called() #10
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end29, label %if.then

if.then:                                          ; preds = %entry
  switch i64 %number, label %if.end29 [
    i64 93, label %sw.bb
    i64 94, label %sw.bb
    i64 221, label %sw.bb1
    i64 129, label %sw.bb2
    i64 130, label %sw.bb7
    i64 131, label %sw.bb15
  ]

sw.bb:                                            ; preds = %if.then, %if.then
  %conv = trunc i64 %a to i32
  call void @ends(i32 %conv)
  br label %if.end29

sw.bb1:                                           ; preds = %if.then
  call void @replaces(ptr nonnull @.str)
  br label %if.end29

sw.bb2:                                           ; preds = %if.then
  %conv3 = trunc i64 %a to i32
  %conv4 = trunc i64 %b to i32
  %call5 = call i32 @em.run.kill(i32 %conv3, i32 %conv4) #10
  %conv6 = sext i32 %call5 to i64
  br label %return

sw.bb7:                                           ; preds = %if.then
  %call8 = call i64 (i64, ...) @syscall(i64 178) #10
  %cmp = icmp eq i64 %a, %call8
  br i1 %cmp, label %if.then10, label %if.end29

if.then10:                                        ; preds = %sw.bb7
  %call11 = call i32 @getpid() #10
  %conv12 = trunc i64 %b to i32
  %call13 = call i32 @em.run.kill(i32 %call11, i32 %conv12) #10
  %conv14 = sext i32 %call13 to i64
  br label %return

sw.bb15:                                          ; preds = %if.then
  %call16 = call i32 @getpid() #10
  %conv17 = sext i32 %call16 to i64
  %cmp18 = icmp eq i64 %a, %conv17
  br i1 %cmp18, label %land.lhs.true, label %if.end29

land.lhs.true:                                    ; preds = %sw.bb15
  %call20 = call i64 (i64, ...) @syscall(i64 178) #10
  %cmp21 = icmp eq i64 %b, %call20
  br i1 %cmp21, label %if.then23, label %if.end29

if.then23:                                        ; preds = %land.lhs.true
  %conv24 = trunc i64 %a to i32
  %conv25 = trunc i64 %c to i32
  %call26 = call i32 @em.run.kill(i32 %conv24, i32 %conv25) #10
  %conv27 = sext i32 %call26 to i64
  br label %return

if.end29:                                         ; preds = %sw.bb, %sw.bb1, %sw.bb7, %land.lhs.true, %sw.bb15, %if.then, %entry
  %call30 = call i64 (i64, ...) @syscall(i64 %number, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) #10
  br label %return

return:                                           ; preds = %if.end29, %if.then23, %if.then10, %sw.bb2
  %retval.0 = phi i64 [ %call30, %if.end29 ], [ %conv6, %sw.bb2 ], [ %conv14, %if.then10 ], [ %conv27, %if.then23 ]
  ret i64 %retval.0
}

declare i32 @em.run.is_called() #4

declare i32 @em.run.kill(i32, i32) #4

declare i64 @syscall(i64, ...) #6

declare i32 @getpid() #6

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #9

declare i32 @fflush(ptr) #4

declare i32 @fprintf(ptr, ptr, ...) #6

declare i32 @vfprintf(ptr, ptr, ptr dead_on_return) #6

declare ptr @strerror(i32) #6

declare i32 @fputc(i32, ptr) #4

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { cold "no-trapping-math"="true" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { "no-trapping-math"="true" }
attributes #5 = { nocallback nofree nosync nounwind willreturn }
attributes #6 = { nounwind "no-trapping-math"="true" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #9 = { cold noreturn "no-trapping-math"="true" }
attributes #10 = { nounwind }
attributes #11 = { cold nounwind }
attributes #12 = { cold noreturn nounwind }
attributes #13 = { nounwind willreturn memory(none) }

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
