define linkonce_odr void @em.heap.release.shadows(ptr %primal, ptr %shadow, ptr %primal_shadow, ptr %shadow_shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr.i = getelementptr inbounds i8, ptr %shadow, i64 -64
  %0 = load i64, ptr %add.ptr.i, align 8, !tbaa !0
  %tobool1.not = icmp eq i64 %0, 0
  br i1 %tobool1.not, label %if.end3, label %if.then2

if.then2:                                         ; preds = %if.end
  call void @em.shadow.free(ptr nonnull %primal, ptr %primal_shadow) #2
  br label %if.end3

if.end3:                                          ; preds = %if.then2, %if.end
  call void @em.shadow.free(ptr %shadow, ptr %shadow_shadow) #2
  br label %return

return:                                           ; preds = %entry, %if.end3
  ret void
}

declare void @em.shadow.free(ptr, ptr) #1

define linkonce_odr void @em.heap.released(ptr %primal, ptr %shadow, ptr %primal_shadow, ptr %shadow_shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr.i = getelementptr inbounds i8, ptr %shadow, i64 -64
  %0 = load i64, ptr %add.ptr.i, align 8, !tbaa !0
  %tobool1.not = icmp eq i64 %0, 0
  br i1 %tobool1.not, label %if.end3, label %if.then2

if.then2:                                         ; preds = %if.end
  call void @em.heap.freed(ptr nonnull %primal, ptr %primal_shadow) #2
  br label %if.end3

if.end3:                                          ; preds = %if.then2, %if.end
  call void @em.heap.freed(ptr %shadow, ptr %shadow_shadow) #2
  br label %return

return:                                           ; preds = %entry, %if.end3
  ret void
}

declare void @em.heap.freed(ptr, ptr) #1

define linkonce_odr void @em.heap.release.shadow(ptr %shadow, ptr %shadow_shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %shadow, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr.i = getelementptr inbounds i8, ptr %shadow_shadow, i64 -64
  %0 = load i64, ptr %add.ptr.i, align 8, !tbaa !0
  %tobool1.not = icmp eq i64 %0, 0
  br i1 %tobool1.not, label %if.end3, label %if.then2

if.then2:                                         ; preds = %if.end
  call void @em.shadow.free(ptr nonnull %shadow, ptr nonnull %shadow) #2
  br label %if.end3

if.end3:                                          ; preds = %if.then2, %if.end
  call void @em.shadow.free(ptr nonnull %shadow, ptr %shadow_shadow) #2
  br label %return

return:                                           ; preds = %entry, %if.end3
  ret void
}

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { nounwind }

!0 = !{!1, !2, i64 0}
!1 = !{!"header", !2, i64 0, !2, i64 8, !2, i64 16, !3, i64 24}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
