%struct.block = type { ptr, i64, i64 }

define linkonce_odr ptr @em.kept.shadow(ptr %list, ptr %pointer) #0 {
entry:
  %block = alloca %struct.block, align 8
  %tobool.not = icmp eq ptr %pointer, null
  br i1 %tobool.not, label %return, label %for.cond

for.cond:                                         ; preds = %entry, %for.inc
  %place.0 = phi ptr [ %next, %for.inc ], [ %list, %entry ]
  %retval.1 = phi ptr [ %retval.2, %for.inc ], [ undef, %entry ]
  %0 = load ptr, ptr %place.0, align 8, !tbaa !0
  %tobool1.not = icmp eq ptr %0, null
  br i1 %tobool1.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %1 = ptrtoint ptr %pointer to i64
  %2 = load ptr, ptr %0, align 8, !tbaa !5
  %3 = ptrtoint ptr %2 to i64
  %sub = sub i64 %1, %3
  %size = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = load i64, ptr %size, align 8, !tbaa !9
  %cmp.not = icmp ult i64 %sub, %4
  br i1 %cmp.not, label %if.then2, label %cleanup

if.then2:                                         ; preds = %for.body
  %shadow = getelementptr inbounds nuw i8, ptr %0, i64 24
  %5 = load ptr, ptr %shadow, align 8, !tbaa !10
  %add.ptr = getelementptr inbounds nuw i8, ptr %5, i64 %sub
  br label %cleanup

cleanup:                                          ; preds = %for.body, %if.then2
  %retval.2 = phi ptr [ %add.ptr, %if.then2 ], [ %retval.1, %for.body ]
  br i1 %cmp.not, label %return, label %for.inc

for.inc:                                          ; preds = %cleanup
  %next = getelementptr inbounds nuw i8, ptr %0, i64 32
  br label %for.cond, !llvm.loop !11

for.end:                                          ; preds = %for.cond
  call void @llvm.lifetime.start.p0(ptr nonnull %block) #4
  call void @em.run.block_find(ptr nonnull %pointer, ptr nonnull %block) #4
  %serial = getelementptr inbounds nuw i8, ptr %block, i64 16
  %6 = load i64, ptr %serial, align 8, !tbaa !13
  %tobool4.not = icmp eq i64 %6, 0
  br i1 %tobool4.not, label %cleanup23, label %if.end6

if.end6:                                          ; preds = %for.end
  %call = call dereferenceable_or_null(40) ptr @malloc(i64 40) #5
  %7 = load ptr, ptr %block, align 8, !tbaa !15
  store ptr %7, ptr %call, align 8, !tbaa !5
  %size9 = getelementptr inbounds nuw i8, ptr %block, i64 8
  %8 = load i64, ptr %size9, align 8, !tbaa !16
  %size10 = getelementptr inbounds nuw i8, ptr %call, i64 8
  store i64 %8, ptr %size10, align 8, !tbaa !9
  %9 = load i64, ptr %serial, align 8, !tbaa !13
  %serial12 = getelementptr inbounds nuw i8, ptr %call, i64 16
  store i64 %9, ptr %serial12, align 8, !tbaa !17
  %call15 = call ptr @em.shadow.allocate(ptr %7, i64 %8) #4
  %shadow16 = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr %call15, ptr %shadow16, align 8, !tbaa !10
  %next17 = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr null, ptr %next17, align 8, !tbaa !18
  store ptr %call, ptr %place.0, align 8, !tbaa !0
  %10 = ptrtoint ptr %pointer to i64
  %11 = load ptr, ptr %block, align 8, !tbaa !15
  %12 = ptrtoint ptr %11 to i64
  %sub20 = sub i64 %10, %12
  %add.ptr21 = getelementptr inbounds nuw i8, ptr %call15, i64 %sub20
  br label %cleanup23

cleanup23:                                        ; preds = %for.end, %if.end6
  %retval.4 = phi ptr [ %add.ptr21, %if.end6 ], [ null, %for.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %block) #4
  br label %return

return:                                           ; preds = %cleanup23, %cleanup, %entry
  %retval.0 = phi ptr [ null, %entry ], [ %retval.2, %cleanup ], [ %retval.4, %cleanup23 ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare void @em.run.block_find(ptr, ptr) #2

declare ptr @malloc(i64) #3

declare ptr @em.shadow.allocate(ptr, i64) #2

define linkonce_odr void @em.kept.end(ptr %list) #0 {
entry:
  %0 = load ptr, ptr %list, align 8, !tbaa !0
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %node.0 = phi ptr [ %0, %entry ], [ %1, %for.body ]
  %tobool.not = icmp eq ptr %node.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %next1 = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %1 = load ptr, ptr %next1, align 8, !tbaa !18
  %2 = load ptr, ptr %node.0, align 8, !tbaa !5
  %shadow = getelementptr inbounds nuw i8, ptr %node.0, i64 24
  %3 = load ptr, ptr %shadow, align 8, !tbaa !10
  call void @em.heap.release(ptr %2, ptr %3) #4
  call void @free(ptr nonnull %node.0) #4
  br label %for.cond, !llvm.loop !19

for.end:                                          ; preds = %for.cond
  ret void
}

declare void @em.heap.release(ptr, ptr) #2

declare void @free(ptr) #2

define linkonce_odr void @em.kept.end.lane(ptr %list) #0 {
entry:
  %0 = load ptr, ptr %list, align 8, !tbaa !0
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %node.0 = phi ptr [ %0, %entry ], [ %1, %for.body ]
  %tobool.not = icmp eq ptr %node.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %next1 = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %1 = load ptr, ptr %next1, align 8, !tbaa !18
  %2 = load ptr, ptr %node.0, align 8, !tbaa !5
  %shadow = getelementptr inbounds nuw i8, ptr %node.0, i64 24
  %3 = load ptr, ptr %shadow, align 8, !tbaa !10
  call void @em.shadow.free(ptr %2, ptr %3) #4
  call void @free(ptr nonnull %node.0) #4
  br label %for.cond, !llvm.loop !20

for.end:                                          ; preds = %for.cond
  ret void
}

declare void @em.shadow.free(ptr, ptr) #2

define linkonce_odr void @em.kept.end.forward(ptr %list) #0 {
entry:
  %block = alloca %struct.block, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %block) #4
  %0 = load ptr, ptr %list, align 8, !tbaa !0
  br label %for.cond

for.cond:                                         ; preds = %if.end, %entry
  %node.0 = phi ptr [ %0, %entry ], [ %1, %if.end ]
  %tobool.not = icmp eq ptr %node.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %next1 = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %1 = load ptr, ptr %next1, align 8, !tbaa !18
  %2 = load ptr, ptr %node.0, align 8, !tbaa !5
  call void @em.run.block_find(ptr %2, ptr nonnull %block) #4
  %serial = getelementptr inbounds nuw i8, ptr %block, i64 16
  %3 = load i64, ptr %serial, align 8, !tbaa !13
  %serial2 = getelementptr inbounds nuw i8, ptr %node.0, i64 16
  %4 = load i64, ptr %serial2, align 8, !tbaa !17
  %cmp = icmp eq i64 %3, %4
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  %5 = load ptr, ptr %node.0, align 8, !tbaa !5
  %shadow = getelementptr inbounds nuw i8, ptr %node.0, i64 24
  %6 = load ptr, ptr %shadow, align 8, !tbaa !10
  call void @em.shadow.free(ptr %5, ptr %6) #4
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  call void @free(ptr nonnull %node.0) #4
  br label %for.cond, !llvm.loop !21

for.end:                                          ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr nonnull %block) #4
  ret void
}

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { allocsize(0) "no-trapping-math"="true" }
attributes #4 = { nounwind }
attributes #5 = { nounwind allocsize(0) }

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS4kept", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !2, i64 0}
!6 = !{!"kept", !2, i64 0, !7, i64 8, !7, i64 16, !8, i64 24, !1, i64 32}
!7 = !{!"long", !3, i64 0}
!8 = !{!"p1 omnipotent char", !2, i64 0}
!9 = !{!6, !7, i64 8}
!10 = !{!6, !8, i64 24}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!14, !7, i64 16}
!14 = !{!"block", !2, i64 0, !7, i64 8, !7, i64 16}
!15 = !{!14, !2, i64 0}
!16 = !{!14, !7, i64 8}
!17 = !{!6, !7, i64 16}
!18 = !{!6, !1, i64 32}
!19 = distinct !{!19, !12}
!20 = distinct !{!20, !12}
!21 = distinct !{!21, !12}
