%struct.object = type opaque

@em.dtype.bytes = external global %struct.object, align 1
@em.type.array = external global %struct.object, align 1
@em.none = external global %struct.object, align 1
@em.dtype.single = external global %struct.object, align 1
@em.pending = external global %struct.object, align 1
@em.raise_pending = external global %struct.object, align 1

define i64 @em.direct.count(i32 %rank, ptr %shape) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %all.0 = phi i64 [ 1, %entry ], [ %mul, %for.body ]
  %axis.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp slt i32 %axis.0, %rank
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %axis.0 to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !0
  %mul = mul i64 %all.0, %0
  %inc = add nuw nsw i32 %axis.0, 1
  br label %for.cond, !llvm.loop !4

for.end:                                          ; preds = %for.cond
  ret i64 %all.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define zeroext i1 @em.direct.same(i32 %rank, ptr %a, i32 %other, ptr %b) #0 {
entry:
  %cmp.not = icmp eq i32 %rank, %other
  br i1 %cmp.not, label %for.cond, label %return

for.cond:                                         ; preds = %entry, %for.inc
  %axis.0 = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %cmp1.not = icmp slt i32 %axis.0, %rank
  br i1 %cmp1.not, label %for.body, label %return

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %axis.0 to i64
  %arrayidx = getelementptr inbounds nuw i64, ptr %a, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !0
  %arrayidx3 = getelementptr inbounds nuw i64, ptr %b, i64 %idxprom
  %1 = load i64, ptr %arrayidx3, align 8, !tbaa !0
  %cmp4.not = icmp eq i64 %0, %1
  br i1 %cmp4.not, label %for.inc, label %return

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i32 %axis.0, 1
  br label %for.cond, !llvm.loop !6

return:                                           ; preds = %for.cond, %for.body, %entry
  %retval.0 = phi i1 [ false, %entry ], [ false, %for.body ], [ true, %for.cond ]
  ret i1 %retval.0
}

define zeroext i1 @em.direct.apart(i64 %a, i64 %a_size, i64 %b, i64 %b_size) #0 {
entry:
  %add = add i64 %a, %a_size
  %cmp = icmp uge i64 %b, %add
  %add1 = add i64 %b, %b_size
  %cmp2 = icmp uge i64 %a, %add1
  %0 = select i1 %cmp, i1 true, i1 %cmp2
  ret i1 %0
}

define ptr @em.direct.zeros(i64 %bytes, ptr %dtype, i32 %rank, ptr %shape) #0 {
entry:
  %room = alloca i64, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %room) #4
  %add = add nsw i64 %bytes, 64
  store i64 %add, ptr %room, align 8, !tbaa !0
  call void @Py_IncRef(ptr nonnull @em.dtype.bytes) #4
  %call = call ptr @em.np.zeros(i32 1, ptr nonnull %room, ptr nonnull @em.dtype.bytes, i32 0) #4
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup11, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %add.ptr, align 8, !tbaa !7
  call void @Py_IncRef(ptr %dtype) #4
  %1 = ptrtoint ptr %0 to i64
  %sub = sub i64 0, %1
  %and = and i64 %sub, 63
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %0, i64 %and
  %call2 = call ptr @em.np.new_from_descr(ptr nonnull @em.type.array, ptr %dtype, i32 %rank, ptr %shape, ptr null, ptr %add.ptr1, i32 1281, ptr null) #4
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

declare void @Py_IncRef(ptr) #2

declare ptr @em.np.zeros(i32, ptr, ptr, i32) #2

declare ptr @em.np.new_from_descr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr) #2

declare void @Py_DecRef(ptr) #2

declare i32 @em.np.set_base(ptr, ptr) #2

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
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !10
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
  br label %for.cond, !llvm.loop !12

for.end:                                          ; preds = %for.cond
  br i1 %bad.0.in, label %if.end8, label %cleanup

if.end8:                                          ; preds = %for.end
  call void @Py_DecRef(ptr %made) #4
  br label %cleanup

cleanup:                                          ; preds = %for.end, %if.end8
  %retval.0 = phi ptr [ null, %if.end8 ], [ %made, %for.end ]
  ret ptr %retval.0
}

declare i32 @PyTuple_SetItem(ptr, i64, ptr) #2

define ptr @em.direct.single(float %number) #0 {
entry:
  %number.addr = alloca float, align 4
  store float %number, ptr %number.addr, align 4, !tbaa !13
  %call = call ptr @em.np.scalar(ptr nonnull %number.addr, ptr nonnull @em.dtype.single, ptr null) #4
  ret ptr %call
}

declare ptr @em.np.scalar(ptr, ptr, ptr) #2

define zeroext i1 @em.direct.keeps(ptr %times, i64 %size) #0 {
entry:
  %0 = load i64, ptr %times, align 8, !tbaa !15
  %cmp = icmp slt i64 %0, 0
  %cmp2.not = icmp ugt i64 %size, %0
  %or.cond = select i1 %cmp, i1 true, i1 %cmp2.not
  br i1 %or.cond, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %credit = getelementptr inbounds nuw i8, ptr %times, i64 8
  %1 = load i64, ptr %credit, align 8, !tbaa !17
  %cmp3 = icmp sgt i64 %1, -1
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %2 = phi i1 [ %cmp3, %land.rhs ], [ false, %entry ]
  ret i1 %2
}

define void @em.direct.measured(ptr %times, i64 %size, i1 zeroext %kept, i64 %ticks) #0 {
entry:
  %cmp = icmp ult i64 %ticks, 20001
  br i1 %cmp, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  %0 = load i64, ptr %times, align 8, !tbaa !15
  %cmp1 = icmp sgt i64 %size, %0
  br i1 %cmp1, label %if.then2, label %if.end

if.then2:                                         ; preds = %if.then
  store i64 %size, ptr %times, align 8, !tbaa !15
  br label %if.end

if.end:                                           ; preds = %if.then2, %if.then
  %credit = getelementptr inbounds nuw i8, ptr %times, i64 8
  %1 = load i64, ptr %credit, align 8, !tbaa !17
  %2 = call i64 @llvm.smin.i64(i64 %1, i64 -1)
  %spec.select = add nsw i64 %2, 1
  store i64 %spec.select, ptr %credit, align 8, !tbaa !17
  br label %if.end16

if.else:                                          ; preds = %entry
  br i1 %kept, label %if.then7, label %if.end16

if.then7:                                         ; preds = %if.else
  %3 = load i64, ptr %times, align 8, !tbaa !15
  %cmp9.not = icmp sgt i64 %size, %3
  br i1 %cmp9.not, label %if.end13, label %if.then10

if.then10:                                        ; preds = %if.then7
  %sub11 = add nsw i64 %size, -1
  store i64 %sub11, ptr %times, align 8, !tbaa !15
  br label %if.end13

if.end13:                                         ; preds = %if.then10, %if.then7
  %credit14 = getelementptr inbounds nuw i8, ptr %times, i64 8
  store i64 -1000, ptr %credit14, align 8, !tbaa !17
  br label %if.end16

if.end16:                                         ; preds = %if.else, %if.end13, %if.end
  ret void
}

define zeroext i1 @em.direct.settled() #0 {
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
  %0 = load ptr, ptr %type, align 8, !tbaa !10
  call void @Py_DecRef(ptr %0) #4
  %1 = load ptr, ptr %value, align 8, !tbaa !10
  call void @Py_DecRef(ptr %1) #4
  %2 = load ptr, ptr %trace, align 8, !tbaa !10
  call void @Py_DecRef(ptr %2) #4
  br label %cleanup

if.end:                                           ; preds = %if.then
  call void @Py_DecRef(ptr nonnull %call1) #4
  %3 = load ptr, ptr %type, align 8, !tbaa !10
  %4 = load ptr, ptr %value, align 8, !tbaa !10
  %5 = load ptr, ptr %trace, align 8, !tbaa !10
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

declare i64 @PyDict_Size(ptr) #2

declare void @PyErr_Fetch(ptr, ptr, ptr) #2

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...) #2

declare void @PyErr_Restore(ptr, ptr, ptr) #2

declare ptr @PyErr_Occurred() #2

declare i64 @llvm.smin.i64(i64, i64) #3

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = !{!8, !8, i64 0}
!8 = !{!"p1 omnipotent char", !9, i64 0}
!9 = !{!"any pointer", !2, i64 0}
!10 = !{!11, !11, i64 0}
!11 = !{!"p1 _ZTS6object", !9, i64 0}
!12 = distinct !{!12, !5}
!13 = !{!14, !14, i64 0}
!14 = !{!"float", !2, i64 0}
!15 = !{!16, !1, i64 0}
!16 = !{!"times", !1, i64 0, !1, i64 8}
!17 = !{!16, !1, i64 8}
