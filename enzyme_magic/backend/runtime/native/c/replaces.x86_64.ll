%struct.__va_list_tag = type { i32, i32, ptr, ptr }

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

define void @em.run.verr(i32 %status, ptr %format, ptr %list) #0 {
entry:
  call void @vwarn(ptr %format, ptr %list) #9
  call void @ends(i32 %status)
  ret void
}

declare void @vwarn(ptr, ptr) #1

define internal void @ends(i32 %status) #0 {
entry:
  call void @em.run.leave(i32 1, i32 %status, ptr null, ptr null, ptr null, i64 0) #10
  unreachable
}

define void @em.run.verrx(i32 %status, ptr %format, ptr %list) #0 {
entry:
  call void @vwarnx(ptr %format, ptr %list) #11
  call void @ends(i32 %status)
  ret void
}

declare void @vwarnx(ptr, ptr) #2

define void @em.run.err(i32 %status, ptr %format, ...) #0 {
entry:
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @em.run.verr(i32 %status, ptr %format, ptr nonnull %list)
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

declare void @llvm.va_start.p0(ptr) #4

declare void @llvm.va_end.p0(ptr) #4

declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

define void @em.run.errx(i32 %status, ptr %format, ...) #0 {
entry:
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @em.run.verrx(i32 %status, ptr %format, ptr nonnull %list)
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  ret void
}

define void @em.run.error(i32 %status, i32 %number, ptr %format, ...) #0 {
entry:
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @reports(i32 %status, i32 %number, ptr null, i32 0, ptr %format, ptr nonnull %list)
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  ret void
}

define internal void @reports(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ptr %list) #0 {
entry:
  %0 = load ptr, ptr @stdout, align 8, !tbaa !0
  %call = call i32 @fflush(ptr %0) #11
  %tobool.not = icmp eq ptr %file, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %1 = load ptr, ptr @stderr, align 8, !tbaa !0
  %call1 = call i32 (ptr, ptr, ...) @fprintf(ptr %1, ptr nonnull @.str.9, ptr nonnull %file, i32 %line) #9
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %2 = load ptr, ptr @stderr, align 8, !tbaa !0
  %call2 = call i32 @vfprintf(ptr %2, ptr %format, ptr %list) #9
  %tobool3.not = icmp eq i32 %number, 0
  br i1 %tobool3.not, label %if.end7, label %if.then4

if.then4:                                         ; preds = %if.end
  %3 = load ptr, ptr @stderr, align 8, !tbaa !0
  %call5 = call ptr @strerror(i32 %number) #11
  %call6 = call i32 (ptr, ptr, ...) @fprintf(ptr %3, ptr nonnull @.str.10, ptr %call5) #9
  br label %if.end7

if.end7:                                          ; preds = %if.then4, %if.end
  %4 = load ptr, ptr @stderr, align 8, !tbaa !0
  %call8 = call i32 @fputc(i32 10, ptr %4) #11
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
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  call void @reports(i32 %status, i32 %number, ptr %file, i32 %line, ptr %format, ptr nonnull %list)
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  ret void
}

define i32 @em.run.execve(ptr %path, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str)
  %call = call i32 @execve(ptr %path, ptr %words, ptr %environment) #11
  ret i32 %call
}

define internal void @replaces(ptr %name) #0 {
entry:
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @em.run.leave(i32 1, i32 0, ptr %name, ptr null, ptr null, i64 0) #10
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare i32 @execve(ptr, ptr, ptr) #5

define i32 @em.run.fexecve(i32 %file, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str.1)
  %call = call i32 @fexecve(i32 %file, ptr %words, ptr %environment) #11
  ret i32 %call
}

declare i32 @fexecve(i32, ptr, ptr) #5

define i32 @em.run.execv(ptr %path, ptr %words) #0 {
entry:
  call void @replaces(ptr nonnull @.str.2)
  %call = call i32 @execv(ptr %path, ptr %words) #11
  ret i32 %call
}

declare i32 @execv(ptr, ptr) #5

define i32 @em.run.execvp(ptr %file, ptr %words) #0 {
entry:
  call void @replaces(ptr nonnull @.str.3)
  %call = call i32 @execvp(ptr %file, ptr %words) #11
  ret i32 %call
}

declare i32 @execvp(ptr, ptr) #5

define i32 @em.run.execvpe(ptr %file, ptr %words, ptr %environment) #0 {
entry:
  call void @replaces(ptr nonnull @.str.4)
  %call = call i32 @execvpe(ptr %file, ptr %words, ptr %environment) #11
  ret i32 %call
}

declare i32 @execvpe(ptr, ptr, ptr) #5

define i32 @em.run.execl(ptr %path, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 16
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @replaces(ptr nonnull @.str.5)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  br label %while.cond

while.cond:                                       ; preds = %vaarg.end, %entry
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %vaarg.end ]
  %cmp = icmp samesign ult i32 %count.0, 1023
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %idxprom = zext nneg i32 %count.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !5
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %gp_offset = load i32, ptr %list, align 16
  %fits_in_gp = icmp ult i32 %gp_offset, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %while.body
  %1 = getelementptr inbounds nuw i8, ptr %list, i64 16
  %reg_save_area = load ptr, ptr %1, align 16
  %2 = zext nneg i32 %gp_offset to i64
  %3 = getelementptr i8, ptr %reg_save_area, i64 %2
  %4 = add nuw nsw i32 %gp_offset, 8
  store i32 %4, ptr %list, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %while.body
  %overflow_arg_area_p = getelementptr inbounds nuw i8, ptr %list, i64 8
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %3, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ]
  %5 = load ptr, ptr %vaarg.addr, align 8, !tbaa !5
  %inc = add nuw nsw i32 %count.0, 1
  %idxprom2 = zext nneg i32 %inc to i64
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom2
  store ptr %5, ptr %arrayidx3, align 8, !tbaa !5
  br label %while.cond, !llvm.loop !7

while.end:                                        ; preds = %while.cond, %land.rhs
  %cmp4 = icmp eq i32 %count.0, 1023
  br i1 %cmp4, label %cond.true, label %cond.false

cond.true:                                        ; preds = %while.end
  %call = call ptr @__errno_location() #12
  store i32 7, ptr %call, align 4, !tbaa !9
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %call6 = call i32 @execv(ptr %path, ptr nonnull %words) #11
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call6, %cond.false ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #11
  ret i32 %cond
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #6

declare ptr @__errno_location() #7

define i32 @em.run.execlp(ptr %file, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 16
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @replaces(ptr nonnull @.str.6)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  br label %while.cond

while.cond:                                       ; preds = %vaarg.end, %entry
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %vaarg.end ]
  %cmp = icmp samesign ult i32 %count.0, 1023
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %idxprom = zext nneg i32 %count.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !5
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %gp_offset = load i32, ptr %list, align 16
  %fits_in_gp = icmp ult i32 %gp_offset, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %while.body
  %1 = getelementptr inbounds nuw i8, ptr %list, i64 16
  %reg_save_area = load ptr, ptr %1, align 16
  %2 = zext nneg i32 %gp_offset to i64
  %3 = getelementptr i8, ptr %reg_save_area, i64 %2
  %4 = add nuw nsw i32 %gp_offset, 8
  store i32 %4, ptr %list, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %while.body
  %overflow_arg_area_p = getelementptr inbounds nuw i8, ptr %list, i64 8
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %3, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ]
  %5 = load ptr, ptr %vaarg.addr, align 8, !tbaa !5
  %inc = add nuw nsw i32 %count.0, 1
  %idxprom2 = zext nneg i32 %inc to i64
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom2
  store ptr %5, ptr %arrayidx3, align 8, !tbaa !5
  br label %while.cond, !llvm.loop !11

while.end:                                        ; preds = %while.cond, %land.rhs
  %cmp4 = icmp eq i32 %count.0, 1023
  br i1 %cmp4, label %cond.true, label %cond.false

cond.true:                                        ; preds = %while.end
  %call = call ptr @__errno_location() #12
  store i32 7, ptr %call, align 4, !tbaa !9
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %call6 = call i32 @execvp(ptr %file, ptr nonnull %words) #11
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call6, %cond.false ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #11
  ret i32 %cond
}

define i32 @em.run.execle(ptr %path, ptr %first, ...) #0 {
entry:
  %words = alloca [1024 x ptr], align 16
  %list = alloca [1 x %struct.__va_list_tag], align 16
  call void @replaces(ptr nonnull @.str.7)
  call void @llvm.lifetime.start.p0(ptr nonnull %words) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(8192) %words, i8 0, i64 8192, i1 false)
  store ptr %first, ptr %words, align 8, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr nonnull %list) #11
  call void @llvm.va_start.p0(ptr nonnull %list)
  br label %while.cond

while.cond:                                       ; preds = %vaarg.end, %entry
  %count.0 = phi i32 [ 0, %entry ], [ %inc, %vaarg.end ]
  %cmp = icmp samesign ult i32 %count.0, 1023
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %idxprom = zext nneg i32 %count.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !5
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %gp_offset = load i32, ptr %list, align 16
  %fits_in_gp = icmp ult i32 %gp_offset, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %while.body
  %1 = getelementptr inbounds nuw i8, ptr %list, i64 16
  %reg_save_area = load ptr, ptr %1, align 16
  %2 = zext nneg i32 %gp_offset to i64
  %3 = getelementptr i8, ptr %reg_save_area, i64 %2
  %4 = add nuw nsw i32 %gp_offset, 8
  store i32 %4, ptr %list, align 16
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %while.body
  %overflow_arg_area_p = getelementptr inbounds nuw i8, ptr %list, i64 8
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %3, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ]
  %5 = load ptr, ptr %vaarg.addr, align 8, !tbaa !5
  %inc = add nuw nsw i32 %count.0, 1
  %idxprom2 = zext nneg i32 %inc to i64
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %words, i64 %idxprom2
  store ptr %5, ptr %arrayidx3, align 8, !tbaa !5
  br label %while.cond, !llvm.loop !12

while.end:                                        ; preds = %while.cond, %land.rhs
  %cmp4 = icmp eq i32 %count.0, 1023
  br i1 %cmp4, label %cond.true, label %cond.false

cond.true:                                        ; preds = %while.end
  %call = call ptr @__errno_location() #12
  store i32 7, ptr %call, align 4, !tbaa !9
  br label %cond.end

cond.false:                                       ; preds = %while.end
  %gp_offset8 = load i32, ptr %list, align 16
  %fits_in_gp9 = icmp ult i32 %gp_offset8, 41
  br i1 %fits_in_gp9, label %vaarg.in_reg10, label %vaarg.in_mem12

vaarg.in_reg10:                                   ; preds = %cond.false
  %6 = getelementptr inbounds nuw i8, ptr %list, i64 16
  %reg_save_area11 = load ptr, ptr %6, align 16
  %7 = zext nneg i32 %gp_offset8 to i64
  %8 = getelementptr i8, ptr %reg_save_area11, i64 %7
  %9 = add nuw nsw i32 %gp_offset8, 8
  store i32 %9, ptr %list, align 16
  br label %vaarg.end16

vaarg.in_mem12:                                   ; preds = %cond.false
  %overflow_arg_area_p13 = getelementptr inbounds nuw i8, ptr %list, i64 8
  %overflow_arg_area14 = load ptr, ptr %overflow_arg_area_p13, align 8
  %overflow_arg_area.next15 = getelementptr i8, ptr %overflow_arg_area14, i64 8
  store ptr %overflow_arg_area.next15, ptr %overflow_arg_area_p13, align 8
  br label %vaarg.end16

vaarg.end16:                                      ; preds = %vaarg.in_mem12, %vaarg.in_reg10
  %vaarg.addr17 = phi ptr [ %8, %vaarg.in_reg10 ], [ %overflow_arg_area14, %vaarg.in_mem12 ]
  %10 = load ptr, ptr %vaarg.addr17, align 8, !tbaa !13
  %call18 = call i32 @execve(ptr %path, ptr nonnull %words, ptr %10) #11
  br label %cond.end

cond.end:                                         ; preds = %vaarg.end16, %cond.true
  %cond = phi i32 [ -1, %cond.true ], [ %call18, %vaarg.end16 ]
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.lifetime.end.p0(ptr nonnull %list) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %words) #11
  ret i32 %cond
}

define i32 @em.run.daemon(i32 %stays, i32 %keeps) #0 {
entry:
  call void @replaces(ptr nonnull @.str.8)
  %call = call i32 @daemon(i32 %stays, i32 %keeps) #11
  ret i32 %call
}

declare i32 @daemon(i32, i32) #5

define i64 @em.run.syscall(i64 %number, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) #0 {
entry:
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end29, label %if.then

if.then:                                          ; preds = %entry
  switch i64 %number, label %if.end29 [
    i64 60, label %sw.bb
    i64 231, label %sw.bb
    i64 59, label %sw.bb1
    i64 62, label %sw.bb2
    i64 200, label %sw.bb7
    i64 234, label %sw.bb15
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
  %call5 = call i32 @em.run.kill(i32 %conv3, i32 %conv4) #11
  %conv6 = sext i32 %call5 to i64
  br label %return

sw.bb7:                                           ; preds = %if.then
  %call8 = call i64 (i64, ...) @syscall(i64 186) #11
  %cmp = icmp eq i64 %a, %call8
  br i1 %cmp, label %if.then10, label %if.end29

if.then10:                                        ; preds = %sw.bb7
  %call11 = call i32 @getpid() #11
  %conv12 = trunc i64 %b to i32
  %call13 = call i32 @em.run.kill(i32 %call11, i32 %conv12) #11
  %conv14 = sext i32 %call13 to i64
  br label %return

sw.bb15:                                          ; preds = %if.then
  %call16 = call i32 @getpid() #11
  %conv17 = sext i32 %call16 to i64
  %cmp18 = icmp eq i64 %a, %conv17
  br i1 %cmp18, label %land.lhs.true, label %if.end29

land.lhs.true:                                    ; preds = %sw.bb15
  %call20 = call i64 (i64, ...) @syscall(i64 186) #11
  %cmp21 = icmp eq i64 %b, %call20
  br i1 %cmp21, label %if.then23, label %if.end29

if.then23:                                        ; preds = %land.lhs.true
  %conv24 = trunc i64 %a to i32
  %conv25 = trunc i64 %c to i32
  %call26 = call i32 @em.run.kill(i32 %conv24, i32 %conv25) #11
  %conv27 = sext i32 %call26 to i64
  br label %return

if.end29:                                         ; preds = %sw.bb, %sw.bb1, %sw.bb7, %land.lhs.true, %sw.bb15, %if.then, %entry
  %call30 = call i64 (i64, ...) @syscall(i64 %number, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) #11
  br label %return

return:                                           ; preds = %if.end29, %if.then23, %if.then10, %sw.bb2
  %retval.0 = phi i64 [ %call30, %if.end29 ], [ %conv6, %sw.bb2 ], [ %conv14, %if.then10 ], [ %conv27, %if.then23 ]
  ret i64 %retval.0
}

declare i32 @em.run.is_called() #2

declare i32 @em.run.kill(i32, i32) #2

declare i64 @syscall(i64, ...) #5

declare i32 @getpid() #5

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #8

declare i32 @fflush(ptr) #2

declare i32 @fprintf(ptr, ptr, ...) #5

declare i32 @vfprintf(ptr, ptr, ptr) #5

declare ptr @strerror(i32) #5

declare i32 @fputc(i32, ptr) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { cold "no-trapping-math"="true" }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nosync nounwind willreturn }
attributes #5 = { nounwind "no-trapping-math"="true" }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #7 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #8 = { cold noreturn "no-trapping-math"="true" }
attributes #9 = { cold nounwind }
attributes #10 = { cold noreturn nounwind }
attributes #11 = { nounwind }
attributes #12 = { nounwind willreturn memory(none) }

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS8_IO_FILE", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !6, i64 0}
!6 = !{!"p1 omnipotent char", !2, i64 0}
!7 = distinct !{!7, !8}
!8 = !{!"llvm.loop.mustprogress"}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !3, i64 0}
!11 = distinct !{!11, !8}
!12 = distinct !{!12, !8}
!13 = !{!14, !14, i64 0}
!14 = !{!"p2 omnipotent char", !15, i64 0}
!15 = !{!"any p2 pointer", !2, i64 0}
