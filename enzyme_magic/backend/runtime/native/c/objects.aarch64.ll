%struct.object = type { i64, ptr }

@em.type.int = external global %struct.object, align 8
@em.type.array = external global %struct.object, align 8
@em.dtype.bytes = external global %struct.object, align 8
@em.none = external global %struct.object, align 8
@em.dtype.single = external global %struct.object, align 8
@em.pending = external global %struct.object, align 8
@em.raise_pending = external global %struct.object, align 8
@em.type.float = external global %struct.object, align 8
@em.type.double = external global %struct.object, align 8

define double @em.direct.real(ptr %given, ptr %fine) #0 {
entry:
  %over.i = alloca i32, align 4
  %type.i = getelementptr inbounds nuw i8, ptr %given, i64 8
  %0 = load ptr, ptr %type.i, align 8, !tbaa !0
  %cmp.i = icmp eq ptr %0, @em.type.float
  %cmp2.i = icmp eq ptr %0, @em.type.double
  %or.cond = or i1 %cmp.i, %cmp2.i
  br i1 %or.cond, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %entry
  store i8 1, ptr %fine, align 1, !tbaa !7
  %number.i = getelementptr inbounds nuw i8, ptr %given, i64 16
  %1 = load double, ptr %number.i, align 8, !tbaa !9
  br label %number.exit

if.end.i:                                         ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %over.i) #4
  store i32 1, ptr %over.i, align 4, !tbaa !12
  %cmp4.i = icmp eq ptr %0, @em.type.int
  br i1 %cmp4.i, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end.i
  %call.i = call i64 @PyLong_AsLongLongAndOverflow(ptr %given, ptr nonnull %over.i) #4
  br label %cond.end.i

cond.end.i:                                       ; preds = %if.end.i, %cond.true.i
  %cond.i = phi i64 [ %call.i, %cond.true.i ], [ 0, %if.end.i ]
  %2 = load i32, ptr %over.i, align 4, !tbaa !12
  %tobool.i = icmp eq i32 %2, 0
  %3 = add i64 %cond.i, 9007199254740992
  %4 = icmp ult i64 %3, 18014398509481985
  %spec.select = select i1 %tobool.i, i1 %4, i1 false
  %storedv.i = zext i1 %spec.select to i8
  store i8 %storedv.i, ptr %fine, align 1, !tbaa !7
  %conv.i = sitofp i64 %cond.i to double
  call void @llvm.lifetime.end.p0(ptr nonnull %over.i) #4
  br label %number.exit

number.exit:                                      ; preds = %if.then.i, %cond.end.i
  %retval.i.0 = phi double [ %1, %if.then.i ], [ %conv.i, %cond.end.i ]
  ret double %retval.i.0
}

define float @em.direct.real.single(ptr %given, ptr %fine) #0 {
entry:
  %over.i = alloca i32, align 4
  %type.i = getelementptr inbounds nuw i8, ptr %given, i64 8
  %0 = load ptr, ptr %type.i, align 8, !tbaa !0
  %cmp.i = icmp eq ptr %0, @em.type.float
  %cmp2.i = icmp eq ptr %0, @em.type.double
  %or.cond = or i1 %cmp.i, %cmp2.i
  br i1 %or.cond, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %entry
  store i8 1, ptr %fine, align 1, !tbaa !7
  %number.i = getelementptr inbounds nuw i8, ptr %given, i64 16
  %1 = load double, ptr %number.i, align 8, !tbaa !9
  br label %number.exit

if.end.i:                                         ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %over.i) #4
  store i32 1, ptr %over.i, align 4, !tbaa !12
  %cmp4.i = icmp eq ptr %0, @em.type.int
  br i1 %cmp4.i, label %cond.true.i, label %cond.end.i

cond.true.i:                                      ; preds = %if.end.i
  %call.i = call i64 @PyLong_AsLongLongAndOverflow(ptr %given, ptr nonnull %over.i) #4
  br label %cond.end.i

cond.end.i:                                       ; preds = %if.end.i, %cond.true.i
  %cond.i = phi i64 [ %call.i, %cond.true.i ], [ 0, %if.end.i ]
  %2 = load i32, ptr %over.i, align 4, !tbaa !12
  %tobool.i = icmp eq i32 %2, 0
  %3 = add i64 %cond.i, 9007199254740992
  %4 = icmp ult i64 %3, 18014398509481985
  %spec.select = select i1 %tobool.i, i1 %4, i1 false
  %storedv.i = zext i1 %spec.select to i8
  store i8 %storedv.i, ptr %fine, align 1, !tbaa !7
  %conv.i = sitofp i64 %cond.i to double
  call void @llvm.lifetime.end.p0(ptr nonnull %over.i) #4
  br label %number.exit

number.exit:                                      ; preds = %if.then.i, %cond.end.i
  %retval.i.0 = phi double [ %1, %if.then.i ], [ %conv.i, %cond.end.i ]
  %conv = fptrunc double %retval.i.0 to float
  %5 = load ptr, ptr %type.i, align 8, !tbaa !0
  %cmp = icmp eq ptr %5, @em.type.int
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:                                        ; preds = %number.exit
  %conv2 = fpext float %conv to double
  %cmp3 = fcmp oeq double %retval.i.0, %conv2
  br label %cond.end

cond.false:                                       ; preds = %number.exit
  %6 = call float @llvm.fabs.f32(float %conv)
  %cmp5 = fcmp une float %6, 0x7FF0000000000000
  %7 = call double @llvm.fabs.f64(double %retval.i.0)
  %cmp7 = fcmp oeq double %7, 0x7FF0000000000000
  %8 = select i1 %cmp5, i1 true, i1 %cmp7
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond.in = phi i1 [ %cmp3, %cond.true ], [ %8, %cond.false ]
  br i1 %cond.in, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end
  store i8 0, ptr %fine, align 1, !tbaa !7
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret float %conv
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare float @llvm.fabs.f32(float) #2

declare double @llvm.fabs.f64(double) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define i1 @em.direct.array(ptr %given, ptr %dtype, i32 %flags, ptr %view) #0 {
entry:
  %type = getelementptr inbounds nuw i8, ptr %given, i64 8
  %0 = load ptr, ptr %type, align 8, !tbaa !14
  %cmp.not = icmp eq ptr %0, @em.type.array
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %flags1 = getelementptr inbounds nuw i8, ptr %given, i64 64
  %1 = load i32, ptr %flags1, align 8, !tbaa !18
  %and = and i32 %1, %flags
  %cmp2.not = icmp eq i32 %and, %flags
  br i1 %cmp2.not, label %lor.lhs.false3, label %return

lor.lhs.false3:                                   ; preds = %lor.lhs.false
  %dtype4 = getelementptr inbounds nuw i8, ptr %given, i64 56
  %2 = load ptr, ptr %dtype4, align 8, !tbaa !19
  %cmp5.not = icmp eq ptr %2, %dtype
  br i1 %cmp5.not, label %for.cond, label %return

for.cond:                                         ; preds = %lor.lhs.false3, %for.body
  %axis.0 = phi i32 [ %inc, %for.body ], [ 0, %lor.lhs.false3 ]
  %all.0 = phi i64 [ %mul, %for.body ], [ 1, %lor.lhs.false3 ]
  %rank = getelementptr inbounds nuw i8, ptr %given, i64 24
  %3 = load i32, ptr %rank, align 8, !tbaa !20
  %cmp6 = icmp slt i32 %axis.0, %3
  br i1 %cmp6, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %shape = getelementptr inbounds nuw i8, ptr %given, i64 32
  %4 = load ptr, ptr %shape, align 8, !tbaa !21
  %idxprom = zext nneg i32 %axis.0 to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %4, i64 %idxprom
  %5 = load i64, ptr %arrayidx, align 8, !tbaa !22
  %mul = mul i64 %all.0, %5
  %inc = add nuw nsw i32 %axis.0, 1
  br label %for.cond, !llvm.loop !23

for.end:                                          ; preds = %for.cond
  %data7 = getelementptr inbounds nuw i8, ptr %given, i64 16
  %6 = load ptr, ptr %data7, align 8, !tbaa !25
  %shape9 = getelementptr inbounds nuw i8, ptr %given, i64 32
  %7 = load ptr, ptr %shape9, align 8, !tbaa !21
  %conv = sext i32 %3 to i64
  store ptr %6, ptr %view, align 8, !tbaa !26
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %view, i64 8
  store ptr %7, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8, !tbaa !27
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %view, i64 16
  store i64 %all.0, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8, !tbaa !22
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %view, i64 24
  store i64 %conv, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8, !tbaa !22
  br label %return

return:                                           ; preds = %entry, %lor.lhs.false, %lor.lhs.false3, %for.end
  %retval.0 = phi i1 [ true, %for.end ], [ false, %lor.lhs.false3 ], [ false, %lor.lhs.false ], [ false, %entry ]
  ret i1 %retval.0
}

define i1 @em.direct.same(ptr %a, ptr %b) #0 {
entry:
  %rank = getelementptr inbounds nuw i8, ptr %a, i64 24
  %0 = load i64, ptr %rank, align 8, !tbaa !28
  %rank1 = getelementptr inbounds nuw i8, ptr %b, i64 24
  %1 = load i64, ptr %rank1, align 8, !tbaa !28
  %cmp.not = icmp eq i64 %0, %1
  br i1 %cmp.not, label %for.cond, label %return

for.cond:                                         ; preds = %entry, %for.inc
  %axis.0 = phi i64 [ %inc, %for.inc ], [ 0, %entry ]
  %cmp3.not = icmp slt i64 %axis.0, %0
  br i1 %cmp3.not, label %for.body, label %return

for.body:                                         ; preds = %for.cond
  %shape = getelementptr inbounds nuw i8, ptr %a, i64 8
  %2 = load ptr, ptr %shape, align 8, !tbaa !30
  %arrayidx = getelementptr inbounds nuw i64, ptr %2, i64 %axis.0
  %3 = load i64, ptr %arrayidx, align 8, !tbaa !22
  %shape4 = getelementptr inbounds nuw i8, ptr %b, i64 8
  %4 = load ptr, ptr %shape4, align 8, !tbaa !30
  %arrayidx5 = getelementptr inbounds nuw i64, ptr %4, i64 %axis.0
  %5 = load i64, ptr %arrayidx5, align 8, !tbaa !22
  %cmp6.not = icmp eq i64 %3, %5
  br i1 %cmp6.not, label %for.inc, label %return

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %axis.0, 1
  br label %for.cond, !llvm.loop !31

return:                                           ; preds = %for.cond, %for.body, %entry
  %retval.0 = phi i1 [ false, %entry ], [ false, %for.body ], [ true, %for.cond ]
  ret i1 %retval.0
}

define i1 @em.direct.apart(i64 %a, i64 %a_size, i64 %b, i64 %b_size) #0 {
entry:
  %add = add i64 %a, %a_size
  %cmp = icmp uge i64 %b, %add
  %add1 = add i64 %b, %b_size
  %cmp2 = icmp uge i64 %a, %add1
  %0 = select i1 %cmp, i1 true, i1 %cmp2
  ret i1 %0
}

define ptr @em.direct.zeros(i64 %bytes, ptr %dtype, ptr %like) #0 {
entry:
  %room = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %room) #4
  %add = add nsw i64 %bytes, 64
  store i64 %add, ptr %room, align 8, !tbaa !22
  call void @Py_IncRef(ptr nonnull @em.dtype.bytes) #4
  %call = call ptr @em.np.zeros(i32 1, ptr nonnull %room, ptr nonnull @em.dtype.bytes, i32 0) #4
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup11, label %if.end

if.end:                                           ; preds = %entry
  %data1 = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %data1, align 8, !tbaa !25
  call void @Py_IncRef(ptr %dtype) #4
  %rank = getelementptr inbounds nuw i8, ptr %like, i64 24
  %1 = load i64, ptr %rank, align 8, !tbaa !28
  %conv = trunc i64 %1 to i32
  %shape = getelementptr inbounds nuw i8, ptr %like, i64 8
  %2 = load ptr, ptr %shape, align 8, !tbaa !30
  %3 = ptrtoint ptr %0 to i64
  %sub = sub i64 0, %3
  %and = and i64 %sub, 63
  %add.ptr = getelementptr inbounds nuw i8, ptr %0, i64 %and
  %call2 = call ptr @em.np.new_from_descr(ptr nonnull @em.type.array, ptr %dtype, i32 %conv, ptr %2, ptr null, ptr %add.ptr, i32 1281, ptr null) #4
  %tobool3.not = icmp eq ptr %call2, null
  br i1 %tobool3.not, label %if.then4, label %if.end5

if.then4:                                         ; preds = %if.end
  call void @Py_DecRef(ptr nonnull %call) #4
  br label %cleanup11

if.end5:                                          ; preds = %if.end
  %call6 = call i32 @em.np.set_base(ptr nonnull %call2, ptr nonnull %call) #4
  %tobool7.not = icmp eq i32 %call6, 0
  br i1 %tobool7.not, label %cleanup11, label %if.then8

if.then8:                                         ; preds = %if.end5
  call void @Py_DecRef(ptr nonnull %call2) #4
  br label %cleanup11

cleanup11:                                        ; preds = %if.then4, %if.then8, %if.end5, %entry
  %retval.0 = phi ptr [ null, %entry ], [ null, %if.then8 ], [ null, %if.then4 ], [ %call2, %if.end5 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %room) #4
  ret ptr %retval.0
}

declare void @Py_IncRef(ptr) #3

declare ptr @em.np.zeros(i32, ptr, ptr, i32) #3

declare ptr @em.np.new_from_descr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr) #3

declare void @Py_DecRef(ptr) #3

declare i32 @em.np.set_base(ptr, ptr) #3

define ptr @em.direct.none() #0 {
entry:
  call void @Py_IncRef(ptr nonnull @em.none) #4
  ret ptr @em.none
}

define ptr @em.direct.filled(ptr %made, ptr %entries, i64 %count) #0 {
entry:
  %tobool.not = icmp eq ptr %made, null
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %bad.0.in = phi i1 [ %tobool.not, %entry ], [ %or11, %for.inc ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i64 %k.0, %count
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw ptr, ptr %entries, i64 %k.0
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !32
  %tobool1.not = icmp eq ptr %0, null
  %or11 = or i1 %bad.0.in, %tobool1.not
  br i1 %tobool.not, label %if.else, label %if.then

if.then:                                          ; preds = %for.body
  %call = call i32 @PyTuple_SetItem(ptr nonnull %made, i64 %k.0, ptr %0) #4
  br label %for.inc

if.else:                                          ; preds = %for.body
  call void @Py_DecRef(ptr %0) #4
  br label %for.inc

for.inc:                                          ; preds = %if.then, %if.else
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !33

for.end:                                          ; preds = %for.cond
  br i1 %bad.0.in, label %if.end8, label %cleanup

if.end8:                                          ; preds = %for.end
  call void @Py_DecRef(ptr %made) #4
  br label %cleanup

cleanup:                                          ; preds = %for.end, %if.end8
  %retval.0 = phi ptr [ null, %if.end8 ], [ %made, %for.end ]
  ret ptr %retval.0
}

declare i32 @PyTuple_SetItem(ptr, i64, ptr) #3

define ptr @em.direct.single(float %number) #0 {
entry:
  %number.addr = alloca float, align 4
  store float %number, ptr %number.addr, align 4, !tbaa !34
  %call = call ptr @em.np.scalar(ptr nonnull %number.addr, ptr nonnull @em.dtype.single, ptr null) #4
  ret ptr %call
}

declare ptr @em.np.scalar(ptr, ptr, ptr) #3

define i1 @em.direct.keeps(ptr %times, i64 %size) #0 {
entry:
  %0 = load i64, ptr %times, align 8, !tbaa !36
  %cmp = icmp slt i64 %0, 0
  %cmp2.not = icmp ugt i64 %size, %0
  %or.cond = select i1 %cmp, i1 true, i1 %cmp2.not
  br i1 %or.cond, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %credit = getelementptr inbounds nuw i8, ptr %times, i64 8
  %1 = load i64, ptr %credit, align 8, !tbaa !38
  %cmp3 = icmp sgt i64 %1, -1
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %2 = phi i1 [ %cmp3, %land.rhs ], [ false, %entry ]
  ret i1 %2
}

define void @em.direct.measured(ptr %times, i64 %size, i1 %kept, i64 %ticks) #0 {
entry:
  %cmp = icmp ult i64 %ticks, 20001
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  %0 = load i64, ptr %times, align 8, !tbaa !36
  %cmp1 = icmp sgt i64 %size, %0
  br i1 %cmp1, label %if.then2, label %if.end

if.then2:                                         ; preds = %if.then
  store i64 %size, ptr %times, align 8, !tbaa !36
  br label %if.end

if.end:                                           ; preds = %if.then2, %if.then
  %credit = getelementptr inbounds nuw i8, ptr %times, i64 8
  %1 = load i64, ptr %credit, align 8, !tbaa !38
  %2 = call i64 @llvm.smin.i64(i64 %1, i64 -1)
  %spec.select = add nsw i64 %2, 1
  store i64 %spec.select, ptr %credit, align 8, !tbaa !38
  br label %if.end16

if.else:                                          ; preds = %entry
  br i1 %kept, label %if.then7, label %if.end16

if.then7:                                         ; preds = %if.else
  %3 = load i64, ptr %times, align 8, !tbaa !36
  %cmp9.not = icmp sgt i64 %size, %3
  br i1 %cmp9.not, label %if.end13, label %if.then10

if.then10:                                        ; preds = %if.then7
  %sub11 = add nsw i64 %size, -1
  store i64 %sub11, ptr %times, align 8, !tbaa !36
  br label %if.end13

if.end13:                                         ; preds = %if.then10, %if.then7
  %credit14 = getelementptr inbounds nuw i8, ptr %times, i64 8
  store i64 -1000, ptr %credit14, align 8, !tbaa !38
  br label %if.end16

if.end16:                                         ; preds = %if.else, %if.end13, %if.end
  ret void
}

define i1 @em.direct.settled() #0 {
entry:
  %type = alloca ptr, align 8
  %value = alloca ptr, align 8
  %trace = alloca ptr, align 8
  %call = call i64 @PyDict_Size(ptr nonnull @em.pending) #4
  %tobool.not = icmp eq i64 %call, 0
  br i1 %tobool.not, label %if.end7, label %if.then

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %type) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %value) #4
  call void @llvm.lifetime.start.p0(ptr nonnull %trace) #4
  call void @PyErr_Fetch(ptr nonnull %type, ptr nonnull %value, ptr nonnull %trace) #4
  %call1 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr nonnull @em.raise_pending, ptr null) #4
  %tobool2.not = icmp eq ptr %call1, null
  br i1 %tobool2.not, label %if.then3, label %if.end

if.then3:                                         ; preds = %if.then
  %0 = load ptr, ptr %type, align 8, !tbaa !32
  call void @Py_DecRef(ptr %0) #4
  %1 = load ptr, ptr %value, align 8, !tbaa !32
  call void @Py_DecRef(ptr %1) #4
  %2 = load ptr, ptr %trace, align 8, !tbaa !32
  call void @Py_DecRef(ptr %2) #4
  br label %cleanup

if.end:                                           ; preds = %if.then
  call void @Py_DecRef(ptr nonnull %call1) #4
  %3 = load ptr, ptr %type, align 8, !tbaa !32
  %4 = load ptr, ptr %value, align 8, !tbaa !32
  %5 = load ptr, ptr %trace, align 8, !tbaa !32
  call void @PyErr_Restore(ptr %3, ptr %4, ptr %5) #4
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then3
  call void @llvm.lifetime.end.p0(ptr nonnull %trace) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %value) #4
  call void @llvm.lifetime.end.p0(ptr nonnull %type) #4
  switch i1 %tobool2.not, label %unreachable [
    i1 false, label %if.end7
    i1 true, label %return
  ]

if.end7:                                          ; preds = %cleanup, %entry
  %call8 = call ptr @PyErr_Occurred() #4
  %tobool9.not = icmp eq ptr %call8, null
  br label %return

return:                                           ; preds = %if.end7, %cleanup
  %retval.1 = phi i1 [ %tobool9.not, %if.end7 ], [ false, %cleanup ]
  ret i1 %retval.1

unreachable:                                      ; preds = %cleanup
  unreachable
}

declare i64 @PyDict_Size(ptr) #3

declare void @PyErr_Fetch(ptr, ptr, ptr) #3

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...) #3

declare void @PyErr_Restore(ptr, ptr, ptr) #3

declare ptr @PyErr_Occurred() #3

declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr) #3

declare i64 @llvm.smin.i64(i64, i64) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { nounwind }

!0 = !{!1, !5, i64 8}
!1 = !{!"object", !2, i64 0, !5, i64 8}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!"p1 _ZTS6object", !6, i64 0}
!6 = !{!"any pointer", !3, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"_Bool", !3, i64 0}
!9 = !{!10, !11, i64 16}
!10 = !{!"float_object", !1, i64 0, !11, i64 16}
!11 = !{!"double", !3, i64 0}
!12 = !{!13, !13, i64 0}
!13 = !{!"int", !3, i64 0}
!14 = !{!15, !5, i64 8}
!15 = !{!"array", !1, i64 0, !16, i64 16, !13, i64 24, !17, i64 32, !17, i64 40, !5, i64 48, !5, i64 56, !13, i64 64}
!16 = !{!"p1 omnipotent char", !6, i64 0}
!17 = !{!"p1 long", !6, i64 0}
!18 = !{!15, !13, i64 64}
!19 = !{!15, !5, i64 56}
!20 = !{!15, !13, i64 24}
!21 = !{!15, !17, i64 32}
!22 = !{!2, !2, i64 0}
!23 = distinct !{!23, !24}
!24 = !{!"llvm.loop.mustprogress"}
!25 = !{!15, !16, i64 16}
!26 = !{!16, !16, i64 0}
!27 = !{!17, !17, i64 0}
!28 = !{!29, !2, i64 24}
!29 = !{!"view", !16, i64 0, !17, i64 8, !2, i64 16, !2, i64 24}
!30 = !{!29, !17, i64 8}
!31 = distinct !{!31, !24}
!32 = !{!5, !5, i64 0}
!33 = distinct !{!33, !24}
!34 = !{!35, !35, i64 0}
!35 = !{!"float", !3, i64 0}
!36 = !{!37, !2, i64 0}
!37 = !{!"times", !2, i64 0, !2, i64 8}
!38 = !{!37, !2, i64 8}
