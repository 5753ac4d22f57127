%struct.anon = type { ptr, i32 }
%struct.anon.0 = type { i64, [4096 x i8] }

@pages = internal global ptr null, align 8
@suspected = internal global %struct.anon zeroinitializer, align 8
@slots = internal global ptr null, align 8
@near = internal global [256 x ptr] zeroinitializer, align 8
@pointers = internal global i64 0, align 8
@stained = internal global i64 0, align 8
@waiting = internal global i64 0, align 8
@used = internal global i64 0, align 8
@room = internal global i64 0, align 8
@known_stains = internal global i32 0, align 4
@.str = private unnamed_addr constant [55 x i8] c"memory in which a derivative lies is used for pointers\00", align 1
@.str.1 = private unnamed_addr constant [79 x i8] c"a pointer to memory with derivatives is copied as an integer, or by characters\00", align 1
@.str.2 = private unnamed_addr constant [58 x i8] c"a number with a derivative is computed with as an integer\00", align 1
@.str.3 = private unnamed_addr constant [41 x i8] c"no memory is left for the kinds of bytes\00", align 1
@.str.4 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.5 = private unnamed_addr constant [75 x i8] c"a number with a derivative is used as something else than it was stored as\00", align 1
@.str.6 = private unnamed_addr constant [52 x i8] c"only a part of a number with a derivative is copied\00", align 1
@.str.7 = private unnamed_addr constant [71 x i8] c"bytes of unknown kind are copied or set, and a derivative lies in them\00", align 1
@stains = internal global [256 x %struct.anon] zeroinitializer, align 8

define void @em.kinds.forget() #0 {
entry:
  %0 = load ptr, ptr @pages, align 8, !tbaa !0
  %tobool = icmp ne ptr %0, null
  %1 = load ptr, ptr @suspected, align 8
  %tobool1 = icmp ne ptr %1, null
  %or.cond = select i1 %tobool, i1 true, i1 %tobool1
  br i1 %or.cond, label %while.cond, label %return

while.cond:                                       ; preds = %entry, %while.body
  %2 = load ptr, ptr @pages, align 8, !tbaa !0
  %tobool2.not = icmp eq ptr %2, null
  br i1 %tobool2.not, label %while.end, label %while.body

while.body:                                       ; preds = %while.cond
  %next3 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %3 = load ptr, ptr %next3, align 8, !tbaa !5
  %more = getelementptr inbounds nuw i8, ptr %2, i64 16
  %4 = load ptr, ptr %more, align 8, !tbaa !9
  call void @free(ptr %4) #9
  %5 = load ptr, ptr @pages, align 8, !tbaa !0
  call void @free(ptr %5) #9
  store ptr %3, ptr @pages, align 8, !tbaa !0
  br label %while.cond, !llvm.loop !10

while.end:                                        ; preds = %while.cond
  %6 = load ptr, ptr @slots, align 8, !tbaa !12
  call void @free(ptr %6) #9
  br label %for.cond

for.cond:                                         ; preds = %for.body, %while.end
  %k.0 = phi i32 [ 0, %while.end ], [ %inc, %for.body ]
  %cmp = icmp samesign ult i32 %k.0, 256
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw ptr, ptr @near, i64 %idxprom
  store ptr null, ptr %arrayidx, align 8, !tbaa !0
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !15

for.end:                                          ; preds = %for.cond
  store ptr null, ptr @slots, align 8, !tbaa !12
  store i64 0, ptr @pointers, align 8, !tbaa !16
  store i64 0, ptr @stained, align 8, !tbaa !16
  store i64 0, ptr @waiting, align 8, !tbaa !16
  store i64 0, ptr @used, align 8, !tbaa !16
  store i64 0, ptr @room, align 8, !tbaa !16
  store i32 0, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !17
  store i32 0, ptr @known_stains, align 4, !tbaa !21
  store ptr null, ptr @suspected, align 8, !tbaa !22
  br label %return

return:                                           ; preds = %entry, %for.end
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @free(ptr) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define i64 @em.kinds.held_bytes() #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %n.0 = phi i64 [ 16, %entry ], [ %add, %for.body ]
  %page.0.in = phi ptr [ @pages, %entry ], [ %next, %for.body ]
  %page.0 = load ptr, ptr %page.0.in, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %page.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %call = call i32 @has_marks(ptr nonnull %page.0)
  %conv = sext i32 %call to i64
  %mul = mul nsw i64 %conv, 4104
  %add = add i64 %n.0, %mul
  %next = getelementptr inbounds nuw i8, ptr %page.0, i64 8
  br label %for.cond, !llvm.loop !23

for.end:                                          ; preds = %for.cond
  ret i64 %n.0
}

define internal i32 @has_marks(ptr %page) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %found.0 = phi i64 [ 0, %entry ], [ %or, %for.body ]
  %k.0 = phi i32 [ 0, %entry ], [ %add, %for.body ]
  %cmp = icmp samesign ult i32 %k.0, 4096
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %mark = getelementptr inbounds nuw i8, ptr %page, i64 24
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %idxprom
  %0 = load i64, ptr %arrayidx, align 1, !tbaa !24
  %or = or i64 %found.0, %0
  %add = add nuw nsw i32 %k.0, 8
  br label %for.cond, !llvm.loop !25

for.end:                                          ; preds = %for.cond
  %tobool.not = icmp ne i64 %found.0, 0
  %lnot.ext = zext i1 %tobool.not to i32
  ret i32 %lnot.ext
}

define void @em.kinds.hold(ptr %block) #0 {
entry:
  store i64 0, ptr %block, align 8, !tbaa !16
  %0 = load i64, ptr @pointers, align 8, !tbaa !16
  %pointers = getelementptr inbounds nuw i8, ptr %block, i64 8
  store i64 %0, ptr %pointers, align 8, !tbaa !16
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %page.0.in = phi ptr [ @pages, %entry ], [ %next, %for.inc ]
  %page.0 = load ptr, ptr %page.0.in, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %page.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %call = call i32 @has_marks(ptr nonnull %page.0)
  %tobool1.not = icmp eq i32 %call, 0
  br i1 %tobool1.not, label %for.inc, label %if.end

if.end:                                           ; preds = %for.body
  %1 = load i64, ptr %page.0, align 8, !tbaa !26
  %pages = getelementptr inbounds nuw i8, ptr %block, i64 16
  %2 = load i64, ptr %block, align 8, !tbaa !16
  %arrayidx = getelementptr inbounds nuw %struct.anon.0, ptr %pages, i64 %2
  store i64 %1, ptr %arrayidx, align 8, !tbaa !27
  %inc = add i64 %2, 1
  store i64 %inc, ptr %block, align 8, !tbaa !16
  %arrayidx6 = getelementptr inbounds nuw %struct.anon.0, ptr %block, i64 %2
  %mark = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 24
  %mark7 = getelementptr inbounds nuw i8, ptr %page.0, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(4096) %mark, ptr noundef nonnull align 8 dereferenceable(4096) %mark7, i64 4096, i1 false)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.end
  %next = getelementptr inbounds nuw i8, ptr %page.0, i64 8
  br label %for.cond, !llvm.loop !29

for.end:                                          ; preds = %for.cond
  call void @em.kinds.forget()
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

define void @em.kinds.resume(ptr %block) #0 {
entry:
  call void @em.kinds.forget()
  %pointers = getelementptr inbounds nuw i8, ptr %block, i64 8
  %0 = load i64, ptr %pointers, align 8, !tbaa !16
  store i64 %0, ptr @pointers, align 8, !tbaa !16
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %1 = load i64, ptr %block, align 8, !tbaa !16
  %cmp = icmp ult i64 %k.0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %pages = getelementptr inbounds nuw i8, ptr %block, i64 16
  %arrayidx = getelementptr inbounds nuw %struct.anon.0, ptr %pages, i64 %k.0
  %2 = load i64, ptr %arrayidx, align 8, !tbaa !27
  %mul = shl i64 %2, 12
  %3 = inttoptr i64 %mul to ptr
  %call = call ptr @make(ptr %3)
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 24
  %arrayidx2 = getelementptr inbounds nuw %struct.anon.0, ptr %block, i64 %k.0
  %mark3 = getelementptr inbounds nuw i8, ptr %arrayidx2, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(4096) %mark, ptr noundef nonnull align 8 dereferenceable(4096) %mark3, i64 4096, i1 false)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !30

for.end:                                          ; preds = %for.cond
  ret void
}

define internal ptr @make(ptr %p) #0 {
entry:
  %0 = load i64, ptr @used, align 8, !tbaa !16
  %mul = shl i64 %0, 1
  %1 = load i64, ptr @room, align 8, !tbaa !16
  %cmp.not = icmp ult i64 %mul, %1
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @grow()
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %call = call ptr @blank_memory(i64 4120)
  %2 = load ptr, ptr @pages, align 8, !tbaa !0
  %next = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %2, ptr %next, align 8, !tbaa !5
  store ptr %call, ptr @pages, align 8, !tbaa !0
  %3 = ptrtoint ptr %p to i64
  %div7 = lshr i64 %3, 12
  store i64 %div7, ptr %call, align 8, !tbaa !26
  %rem = and i64 %div7, 255
  %arrayidx = getelementptr inbounds nuw ptr, ptr @near, i64 %rem
  store ptr %call, ptr %arrayidx, align 8, !tbaa !0
  %4 = load ptr, ptr @slots, align 8, !tbaa !12
  %call3 = call i64 @place(i64 %div7)
  %arrayidx4 = getelementptr inbounds nuw ptr, ptr %4, i64 %call3
  store ptr %call, ptr %arrayidx4, align 8, !tbaa !0
  %5 = load i64, ptr @used, align 8, !tbaa !16
  %inc = add i64 %5, 1
  store i64 %inc, ptr @used, align 8, !tbaa !16
  ret ptr %call
}

define void @em.kinds.add.double(ptr %p, double %part, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i9 = lshr i64 %0, 12
  %rem.i = and i64 %div.i9, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %at_hand.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %2, %div.i9
  br i1 %cmp.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %land.lhs.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %rem2.i = and i64 %0, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %land.lhs.true.i, %cond.true.i
  %phiofops = phi i1 [ true, %entry ], [ true, %land.lhs.true.i ], [ false, %cond.true.i ]
  %cond.i = phi ptr [ null, %entry ], [ null, %land.lhs.true.i ], [ %arrayidx3.i, %cond.true.i ]
  %tobool.not = call i1 @llvm.is.fpclass.f64(double %part, i32 64)
  br i1 %tobool.not, label %cleanup.cont, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %at_hand.exit
  br i1 %phiofops, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false
  %call2 = call i32 @add_whole_double(ptr nonnull %cond.i, ptr %p, double %part)
  %tobool3.not = icmp eq i32 %call2, 0
  br i1 %tobool3.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %land.lhs.true, %lor.lhs.false
  call void @add_double_bytes(ptr %p, double %part, ptr %file, i32 %at)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %land.lhs.true, %at_hand.exit
  ret void
}

define internal i32 @add_whole_double(ptr %marks, ptr %p, double %part) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 7
  %cmp = icmp eq i64 %rem, 0
  br i1 %cmp, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %1 = load i64, ptr %marks, align 1, !tbaa !24
  switch i64 %1, label %return [
    i64 0, label %if.end
    i64 1663540288323457296, label %if.end
  ]

if.end:                                           ; preds = %lor.lhs.false, %lor.lhs.false
  %2 = load double, ptr %p, align 1, !tbaa !24
  %add = fadd double %2, %part
  store double %add, ptr %p, align 1, !tbaa !24
  store i64 1663540288323457296, ptr %marks, align 1, !tbaa !24
  br label %return

return:                                           ; preds = %lor.lhs.false, %entry, %if.end
  %retval.0 = phi i32 [ 1, %if.end ], [ 0, %lor.lhs.false ], [ 0, %entry ]
  ret i32 %retval.0
}

define internal void @add_double_bytes(ptr %p, double %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %call = call ptr @marks_at(ptr %p)
  %call1 = call i32 @add_whole_double(ptr %call, ptr %p, double %part)
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store double %part, ptr %bits, align 1
  call void @add(ptr %p, i32 16, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #9
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define double @em.kinds.take.double(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i11 = lshr i64 %0, 12
  %rem.i = and i64 %div.i11, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %if.then, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %2, %div.i11
  br i1 %cmp.i, label %cond.true.i, label %if.then

cond.true.i:                                      ; preds = %land.lhs.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %rem2.i = and i64 %0, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  %call1 = call i32 @is_whole_double(ptr nonnull %arrayidx3.i, ptr %p)
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry, %land.lhs.true.i, %cond.true.i
  %call3 = call double @take_double_bytes(ptr %p, ptr %file, i32 %at)
  br label %cleanup

if.end:                                           ; preds = %cond.true.i
  %3 = load double, ptr %p, align 1, !tbaa !24
  store i64 0, ptr %p, align 1, !tbaa !24
  store i64 0, ptr %arrayidx3.i, align 1, !tbaa !24
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi double [ %3, %if.end ], [ %call3, %if.then ]
  ret double %retval.0
}

define internal i32 @is_whole_double(ptr %marks, ptr %p) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 7
  %cmp = icmp ne i64 %rem, 0
  %1 = load i64, ptr @waiting, align 8
  %tobool = icmp ne i64 %1, 0
  %or.cond = select i1 %cmp, i1 true, i1 %tobool
  %2 = load i64, ptr @stained, align 8
  %tobool2 = icmp ne i64 %2, 0
  %or.cond2 = select i1 %or.cond, i1 true, i1 %tobool2
  br i1 %or.cond2, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %3 = load i64, ptr %marks, align 1, !tbaa !24
  %tobool3.not = icmp eq i64 %3, 0
  br i1 %tobool3.not, label %land.end, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %cmp4 = icmp eq i64 %3, 1663540288323457296
  %4 = zext i1 %cmp4 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.rhs, %entry
  %land.ext = phi i32 [ 0, %entry ], [ 1, %land.rhs ], [ %4, %lor.rhs ]
  ret i32 %land.ext
}

define internal double @take_double_bytes(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %call = call ptr @marks_at(ptr %p)
  %call1 = call i32 @is_whole_double(ptr %call, ptr %p)
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @take(ptr %p, i32 16, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load double, ptr %bits, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #9
  br label %cleanup

if.end:                                           ; preds = %entry
  %0 = load double, ptr %p, align 1, !tbaa !24
  store i64 0, ptr %p, align 1, !tbaa !24
  store i64 0, ptr %call, align 1, !tbaa !24
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi double [ %0, %if.end ], [ %part.0.copyload, %if.then ]
  ret double %retval.0
}

define void @em.kinds.add.float(ptr %p, float %part, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i9 = lshr i64 %0, 12
  %rem.i = and i64 %div.i9, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %at_hand.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %2, %div.i9
  br i1 %cmp.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %land.lhs.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %rem2.i = and i64 %0, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %land.lhs.true.i, %cond.true.i
  %phiofops = phi i1 [ true, %entry ], [ true, %land.lhs.true.i ], [ false, %cond.true.i ]
  %cond.i = phi ptr [ null, %entry ], [ null, %land.lhs.true.i ], [ %arrayidx3.i, %cond.true.i ]
  %tobool.not = call i1 @llvm.is.fpclass.f32(float %part, i32 64)
  br i1 %tobool.not, label %cleanup.cont, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %at_hand.exit
  br i1 %phiofops, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false
  %call2 = call i32 @add_whole_float(ptr nonnull %cond.i, ptr %p, float %part)
  %tobool3.not = icmp eq i32 %call2, 0
  br i1 %tobool3.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %land.lhs.true, %lor.lhs.false
  call void @add_float_bytes(ptr %p, float %part, ptr %file, i32 %at)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %land.lhs.true, %at_hand.exit
  ret void
}

define internal i32 @add_whole_float(ptr %marks, ptr %p, float %part) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 3
  %cmp = icmp eq i64 %rem, 0
  br i1 %cmp, label %lor.lhs.false, label %return

lor.lhs.false:                                    ; preds = %entry
  %1 = load i32, ptr %marks, align 1, !tbaa !24
  switch i32 %1, label %return [
    i32 0, label %if.end
    i32 589439264, label %if.end
  ]

if.end:                                           ; preds = %lor.lhs.false, %lor.lhs.false
  %2 = load float, ptr %p, align 1, !tbaa !24
  %add = fadd float %2, %part
  store float %add, ptr %p, align 1, !tbaa !24
  store i32 589439264, ptr %marks, align 1, !tbaa !24
  br label %return

return:                                           ; preds = %lor.lhs.false, %entry, %if.end
  %retval.0 = phi i32 [ 1, %if.end ], [ 0, %lor.lhs.false ], [ 0, %entry ]
  ret i32 %retval.0
}

define internal void @add_float_bytes(ptr %p, float %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %call = call ptr @marks_at(ptr %p)
  %call1 = call i32 @add_whole_float(ptr %call, ptr %p, float %part)
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store float %part, ptr %bits, align 1
  call void @add(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #9
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define float @em.kinds.take.float(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i11 = lshr i64 %0, 12
  %rem.i = and i64 %div.i11, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %if.then, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %2, %div.i11
  br i1 %cmp.i, label %cond.true.i, label %if.then

cond.true.i:                                      ; preds = %land.lhs.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %rem2.i = and i64 %0, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  %call1 = call i32 @is_whole_float(ptr nonnull %arrayidx3.i, ptr %p)
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry, %land.lhs.true.i, %cond.true.i
  %call3 = call float @take_float_bytes(ptr %p, ptr %file, i32 %at)
  br label %cleanup

if.end:                                           ; preds = %cond.true.i
  %3 = load float, ptr %p, align 1, !tbaa !24
  store i32 0, ptr %p, align 1, !tbaa !24
  store i32 0, ptr %arrayidx3.i, align 1, !tbaa !24
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi float [ %3, %if.end ], [ %call3, %if.then ]
  ret float %retval.0
}

define internal i32 @is_whole_float(ptr %marks, ptr %p) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 3
  %cmp = icmp ne i64 %rem, 0
  %1 = load i64, ptr @waiting, align 8
  %tobool = icmp ne i64 %1, 0
  %or.cond = select i1 %cmp, i1 true, i1 %tobool
  %2 = load i64, ptr @stained, align 8
  %tobool2 = icmp ne i64 %2, 0
  %or.cond2 = select i1 %or.cond, i1 true, i1 %tobool2
  br i1 %or.cond2, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %3 = load i32, ptr %marks, align 1, !tbaa !24
  %tobool3.not = icmp eq i32 %3, 0
  br i1 %tobool3.not, label %land.end, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %cmp4 = icmp eq i32 %3, 589439264
  %4 = zext i1 %cmp4 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.rhs, %entry
  %land.ext = phi i32 [ 0, %entry ], [ 1, %land.rhs ], [ %4, %lor.rhs ]
  ret i32 %land.ext
}

define internal float @take_float_bytes(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %call = call ptr @marks_at(ptr %p)
  %call1 = call i32 @is_whole_float(ptr %call, ptr %p)
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @take(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load float, ptr %bits, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #9
  br label %cleanup

if.end:                                           ; preds = %entry
  %0 = load float, ptr %p, align 1, !tbaa !24
  store i32 0, ptr %p, align 1, !tbaa !24
  store i32 0, ptr %call, align 1, !tbaa !24
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi float [ %0, %if.end ], [ %part.0.copyload, %if.then ]
  ret float %retval.0
}

define void @em.kinds.fresh(ptr %p, i64 %n) #0 {
entry:
  %tobool = icmp ne ptr %p, null
  %0 = load i64, ptr @room, align 8
  %tobool1 = icmp ne i64 %0, 0
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %for.cond, label %for.end45

for.cond:                                         ; preds = %entry, %for.inc41
  %k.0 = phi i64 [ %add42, %for.inc41 ], [ 0, %entry ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end45

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call ptr @known(ptr nonnull %add.ptr)
  %1 = ptrtoint ptr %add.ptr to i64
  %rem = and i64 %1, 4095
  %sub = sub nuw nsw i64 4096, %rem
  %sub3 = sub nuw i64 %n, %k.0
  %cond = call i64 @llvm.umin.i64(i64 %sub, i64 %sub3)
  %tobool9.not = icmp eq ptr %call, null
  br i1 %tobool9.not, label %for.inc41, label %if.end11

if.end11:                                         ; preds = %for.body
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 24
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem
  call void @llvm.memset.p0.i64(ptr nonnull align 1 %arrayidx, i8 0, i64 %cond, i1 false)
  %add = add nuw nsw i64 %rem, %cond
  br label %for.cond16

for.cond16:                                       ; preds = %for.body20, %if.end11
  %j.0 = phi i64 [ %rem, %if.end11 ], [ %inc, %for.body20 ]
  %more = getelementptr inbounds nuw i8, ptr %call, i64 16
  %2 = load ptr, ptr %more, align 8, !tbaa !9
  %tobool17 = icmp ne ptr %2, null
  %cmp18 = icmp ult i64 %j.0, %add
  %spec.select = select i1 %tobool17, i1 %cmp18, i1 false
  br i1 %spec.select, label %for.body20, label %for.inc41

for.body20:                                       ; preds = %for.cond16
  %arrayidx22 = getelementptr inbounds nuw i8, ptr %2, i64 %j.0
  %3 = load i8, ptr %arrayidx22, align 1, !tbaa !24
  %tobool23.not = icmp ne i8 %3, 0
  %conv.neg = sext i1 %tobool23.not to i64
  %4 = load i64, ptr @waiting, align 8, !tbaa !16
  %sub25 = add i64 %4, %conv.neg
  store i64 %sub25, ptr @waiting, align 8, !tbaa !16
  %stain = getelementptr inbounds nuw i8, ptr %2, i64 8192
  %arrayidx27 = getelementptr inbounds nuw i8, ptr %stain, i64 %j.0
  %5 = load i8, ptr %arrayidx27, align 1, !tbaa !24
  %tobool28.not = icmp ne i8 %5, 0
  %conv33.neg = sext i1 %tobool28.not to i64
  %6 = load i64, ptr @stained, align 8, !tbaa !16
  %sub34 = add i64 %6, %conv33.neg
  store i64 %sub34, ptr @stained, align 8, !tbaa !16
  store i8 0, ptr %arrayidx22, align 1, !tbaa !24
  %7 = load ptr, ptr %more, align 8, !tbaa !9
  %stain39 = getelementptr inbounds nuw i8, ptr %7, i64 8192
  %arrayidx40 = getelementptr inbounds nuw i8, ptr %stain39, i64 %j.0
  store i8 0, ptr %arrayidx40, align 1, !tbaa !24
  %inc = add i64 %j.0, 1
  br label %for.cond16, !llvm.loop !31

for.inc41:                                        ; preds = %for.body, %for.cond16
  %add42 = add i64 %k.0, %cond
  br label %for.cond, !llvm.loop !32

for.end45:                                        ; preds = %for.cond, %entry
  ret void
}

define internal ptr @known(ptr %p) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div9 = lshr i64 %0, 12
  %rem = and i64 %div9, 255
  %arrayidx = getelementptr inbounds nuw ptr, ptr @near, i64 %rem
  %1 = load ptr, ptr %arrayidx, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %1, null
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp = icmp eq i64 %2, %div9
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %land.lhs.true, %entry
  %3 = load i64, ptr @room, align 8, !tbaa !16
  %tobool2.not = icmp eq i64 %3, 0
  br i1 %tobool2.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %if.end
  %4 = load ptr, ptr @slots, align 8, !tbaa !12
  %call = call i64 @place(i64 %div9)
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %4, i64 %call
  %5 = load ptr, ptr %arrayidx3, align 8, !tbaa !0
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.true
  %cond = phi ptr [ %5, %cond.true ], [ null, %if.end ]
  %tobool4.not = icmp eq ptr %cond, null
  br i1 %tobool4.not, label %cleanup, label %if.then5

if.then5:                                         ; preds = %cond.end
  store ptr %cond, ptr %arrayidx, align 8, !tbaa !0
  br label %cleanup

cleanup:                                          ; preds = %cond.end, %if.then5, %land.lhs.true
  %retval.0 = phi ptr [ %1, %land.lhs.true ], [ %cond, %if.then5 ], [ null, %cond.end ]
  ret ptr %retval.0
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

define void @em.kinds.note(ptr %p, i64 %n, i64 %period, i64 %offset, i32 %kind) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  %cmp = icmp eq i32 %kind, 64
  %conv1 = zext i1 %cmp to i64
  %0 = load i64, ptr @pointers, align 8, !tbaa !16
  %or = or i64 %0, %conv1
  store i64 %or, ptr @pointers, align 8, !tbaa !16
  br label %for.cond

for.cond:                                         ; preds = %for.inc30, %entry
  %at.0 = phi i64 [ %offset, %entry ], [ %add31, %for.inc30 ]
  %conv2 = sext i32 %call to i64
  %add = add i64 %at.0, %conv2
  %cmp3.not = icmp ugt i64 %add, %n
  br i1 %cmp3.not, label %for.end32, label %for.cond5

for.cond5:                                        ; preds = %for.cond, %for.body9
  %bits.0 = phi i32 [ %or13, %for.body9 ], [ 0, %for.cond ]
  %k.0 = phi i32 [ %inc, %for.body9 ], [ 0, %for.cond ]
  %cmp6 = icmp slt i32 %k.0, %call
  br i1 %cmp6, label %for.body9, label %for.cond15

for.body9:                                        ; preds = %for.cond5
  %conv10 = zext nneg i32 %k.0 to i64
  %1 = getelementptr i8, ptr %p, i64 %at.0
  %arrayidx = getelementptr i8, ptr %1, i64 %conv10
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %conv12 = zext i8 %2 to i32
  %or13 = or i32 %bits.0, %conv12
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond5, !llvm.loop !33

for.cond15:                                       ; preds = %for.cond5, %for.body19
  %marks.0 = phi i32 [ %or23, %for.body19 ], [ 0, %for.cond5 ]
  %k14.0 = phi i32 [ %inc25, %for.body19 ], [ 0, %for.cond5 ]
  %tobool = icmp ne i32 %bits.0, 0
  %cmp16 = icmp slt i32 %k14.0, %call
  %spec.select = select i1 %tobool, i1 %cmp16, i1 false
  br i1 %spec.select, label %for.body19, label %for.end26

for.body19:                                       ; preds = %for.cond15
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %at.0
  %idx.ext = zext nneg i32 %k14.0 to i64
  %add.ptr20 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %idx.ext
  %call21 = call i8 @mark_of(ptr %add.ptr20)
  %conv22 = zext i8 %call21 to i32
  %or23 = or i32 %marks.0, %conv22
  %inc25 = add nuw nsw i32 %k14.0, 1
  br label %for.cond15, !llvm.loop !34

for.end26:                                        ; preds = %for.cond15
  %tobool27 = icmp eq i32 %bits.0, 0
  %tobool28 = icmp ne i32 %marks.0, 0
  %or.cond = select i1 %tobool27, i1 true, i1 %tobool28
  br i1 %or.cond, label %for.inc30, label %if.then

if.then:                                          ; preds = %for.end26
  %add.ptr29 = getelementptr inbounds nuw i8, ptr %p, i64 %at.0
  call void @mark_all(ptr %add.ptr29, i32 %kind, i32 %call)
  br label %for.inc30

for.inc30:                                        ; preds = %for.end26, %if.then
  %add31 = add i64 %at.0, %period
  br label %for.cond, !llvm.loop !35

for.end32:                                        ; preds = %for.cond
  ret void
}

define internal i32 @width(i32 %kind) #0 {
entry:
  %cmp = icmp eq i32 %kind, 32
  %cmp1 = icmp eq i32 %kind, 48
  %cond = select i1 %cmp1, i32 10, i32 8
  %cond2 = select i1 %cmp, i32 4, i32 %cond
  ret i32 %cond2
}

define internal i8 @mark_of(ptr %p) #0 {
entry:
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 24
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !24
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i8 [ %1, %cond.true ], [ 0, %entry ]
  ret i8 %cond
}

define internal void @mark_all(ptr %p, i32 %kind, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %tobool.not = icmp eq i32 %kind, 0
  %add = add nsw i32 %kind, %k.0
  %cond = select i1 %tobool.not, i32 0, i32 %add
  call void @set_mark(ptr %add.ptr, i32 %cond)
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !36

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.move(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %target to i64
  %div.i473 = lshr i64 %0, 12
  %rem.i5 = and i64 %div.i473, 255
  %arrayidx.i6 = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i5
  %1 = load ptr, ptr %arrayidx.i6, align 8, !tbaa !0
  %tobool.i7.not = icmp eq ptr %1, null
  br i1 %tobool.i7.not, label %at_hand.exit16, label %land.lhs.true.i10

land.lhs.true.i10:                                ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp.i11 = icmp eq i64 %2, %div.i473
  br i1 %cmp.i11, label %cond.true.i12, label %at_hand.exit16

cond.true.i12:                                    ; preds = %land.lhs.true.i10
  %mark.i13 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %rem2.i14 = and i64 %0, 4095
  %arrayidx3.i15 = getelementptr inbounds nuw i8, ptr %mark.i13, i64 %rem2.i14
  br label %at_hand.exit16

at_hand.exit16:                                   ; preds = %entry, %land.lhs.true.i10, %cond.true.i12
  %phiofops76 = phi i1 [ false, %entry ], [ false, %land.lhs.true.i10 ], [ true, %cond.true.i12 ]
  %cond.i9 = phi ptr [ null, %entry ], [ null, %land.lhs.true.i10 ], [ %arrayidx3.i15, %cond.true.i12 ]
  %3 = ptrtoint ptr %origin to i64
  %div.i74 = lshr i64 %3, 12
  %rem.i = and i64 %div.i74, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %4 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %4, null
  br i1 %tobool.i.not, label %at_hand.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %at_hand.exit16
  %5 = load i64, ptr %4, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %5, %div.i74
  br i1 %cmp.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %land.lhs.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  %rem2.i = and i64 %3, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %at_hand.exit16, %land.lhs.true.i, %cond.true.i
  %phiofops = phi i1 [ false, %at_hand.exit16 ], [ false, %land.lhs.true.i ], [ true, %cond.true.i ]
  %cond.i = phi ptr [ null, %at_hand.exit16 ], [ null, %land.lhs.true.i ], [ %arrayidx3.i, %cond.true.i ]
  %or.cond = and i1 %phiofops76, %phiofops
  br i1 %or.cond, label %land.lhs.true3, label %cond.end

land.lhs.true3:                                   ; preds = %at_hand.exit
  %rem = and i64 %0, 4095
  %sub = sub nuw nsw i64 4096, %rem
  %cmp.not = icmp ugt i64 %n, %sub
  br i1 %cmp.not, label %cond.end, label %land.lhs.true4

land.lhs.true4:                                   ; preds = %land.lhs.true3
  %rem5 = and i64 %3, 4095
  %sub6 = sub nuw nsw i64 4096, %rem5
  %cmp7.not = icmp ugt i64 %n, %sub6
  br i1 %cmp7.not, label %cond.end, label %land.rhs

land.rhs:                                         ; preds = %land.lhs.true4
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %n
  %cmp8 = icmp ult ptr %target, %add.ptr
  %add.ptr9 = getelementptr inbounds nuw i8, ptr %target, i64 %n
  %cmp10 = icmp ult ptr %origin, %add.ptr9
  %.not = select i1 %cmp8, i1 %cmp10, i1 false
  br i1 %.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %land.rhs
  %or.i = or i64 %0, %3
  %rem.i17 = and i64 %or.i, 7
  %cmp.i18 = icmp ne i64 %rem.i17, 0
  %6 = load i64, ptr @waiting, align 8
  %tobool.i19 = icmp ne i64 %6, 0
  %or.cond70 = select i1 %cmp.i18, i1 true, i1 %tobool.i19
  %7 = load i64, ptr @stained, align 8
  %tobool2.i = icmp ne i64 %7, 0
  %or.cond71 = select i1 %or.cond70, i1 true, i1 %tobool2.i
  br i1 %or.cond71, label %cond.end, label %for.cond.i

for.cond.i:                                       ; preds = %cond.true, %for.inc.i
  %k.i.0 = phi i64 [ %add.i, %for.inc.i ], [ 0, %cond.true ]
  %there.addr.i.0 = phi ptr [ %incdec.ptr26.i, %for.inc.i ], [ %cond.i, %cond.true ]
  %here.addr.i.0 = phi ptr [ %incdec.ptr.i, %for.inc.i ], [ %cond.i9, %cond.true ]
  %retval.i.0 = phi i64 [ %retval.i.1, %for.inc.i ], [ undef, %cond.true ]
  %add.i = add i64 %k.i.0, 8
  %cmp3.i.not = icmp ugt i64 %add.i, %n
  br i1 %cmp3.i.not, label %cond.end, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %target, i64 %k.i.0
  %8 = load i64, ptr %add.ptr.i, align 1, !tbaa !24
  %9 = load i64, ptr %here.addr.i.0, align 1, !tbaa !24
  %or4.i = or i64 %9, %8
  %tobool5.i.not = icmp eq i64 %or4.i, 0
  %cmp7.i = icmp eq i64 %9, 5135868584551137600
  %or.cond77 = or i1 %tobool5.i.not, %cmp7.i
  br i1 %or.cond77, label %cleanup.i, label %if.end9.i

if.end9.i:                                        ; preds = %for.body.i
  %cmp10.i.not = icmp eq i64 %9, 1663540288323457296
  br i1 %cmp10.i.not, label %lor.lhs.false11.i, label %cleanup.i

lor.lhs.false11.i:                                ; preds = %if.end9.i
  %cond72 = icmp eq i64 %8, 0
  br i1 %cond72, label %if.end23.i, label %land.lhs.true.i20

land.lhs.true.i20:                                ; preds = %lor.lhs.false11.i
  %10 = load i64, ptr %there.addr.i.0, align 1, !tbaa !24
  switch i64 %10, label %cleanup.i [
    i64 0, label %if.then19.i
    i64 1663540288323457296, label %if.then19.i
  ]

if.then19.i:                                      ; preds = %land.lhs.true.i20, %land.lhs.true.i20
  %11 = load double, ptr %add.ptr.i, align 1, !tbaa !24
  %add.ptr21.i = getelementptr inbounds nuw i8, ptr %origin, i64 %k.i.0
  %12 = load double, ptr %add.ptr21.i, align 1, !tbaa !24
  %add22.i = fadd double %12, %11
  store double %add22.i, ptr %add.ptr21.i, align 1, !tbaa !24
  store i64 1663540288323457296, ptr %there.addr.i.0, align 1, !tbaa !24
  br label %if.end23.i

if.end23.i:                                       ; preds = %lor.lhs.false11.i, %if.then19.i
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !24
  store i64 0, ptr %here.addr.i.0, align 1, !tbaa !24
  br label %cleanup.i

cleanup.i:                                        ; preds = %land.lhs.true.i20, %if.end9.i, %for.body.i, %if.end23.i
  %cleanup.dest.slot.i.0 = phi i32 [ 0, %if.end23.i ], [ 4, %for.body.i ], [ 1, %if.end9.i ], [ 1, %land.lhs.true.i20 ]
  %retval.i.1 = phi i64 [ %retval.i.0, %if.end23.i ], [ %retval.i.0, %for.body.i ], [ %k.i.0, %if.end9.i ], [ %k.i.0, %land.lhs.true.i20 ]
  switch i32 %cleanup.dest.slot.i.0, label %cond.end [
    i32 0, label %for.inc.i
    i32 4, label %for.inc.i
  ]

for.inc.i:                                        ; preds = %cleanup.i, %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %here.addr.i.0, i64 8
  %incdec.ptr26.i = getelementptr inbounds nuw i8, ptr %there.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !37

cond.end:                                         ; preds = %land.lhs.true4, %land.lhs.true3, %at_hand.exit, %land.rhs, %cleanup.i, %cond.true, %for.cond.i
  %cond = phi i64 [ %k.i.0, %for.cond.i ], [ 0, %cond.true ], [ %retval.i.1, %cleanup.i ], [ 0, %land.rhs ], [ 0, %at_hand.exit ], [ 0, %land.lhs.true3 ], [ 0, %land.lhs.true4 ]
  %cmp13 = icmp ult i64 %cond, %n
  br i1 %cmp13, label %if.then, label %if.end

if.then:                                          ; preds = %cond.end
  %add.ptr14 = getelementptr inbounds nuw i8, ptr %target, i64 %cond
  %add.ptr15 = getelementptr inbounds nuw i8, ptr %origin, i64 %cond
  %sub16 = sub nuw i64 %n, %cond
  call void @move_bytes(ptr %add.ptr14, ptr %add.ptr15, i64 %sub16, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret void
}

define internal void @move_bytes(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %marks = alloca [16 x i8], align 1
  %cmp = icmp ne ptr %target, %origin
  %tobool = icmp ne i64 %n, 0
  %or.cond = select i1 %cmp, i1 %tobool, i1 false
  br i1 %or.cond, label %if.end, label %return

if.end:                                           ; preds = %entry
  %0 = load i64, ptr @stained, align 8, !tbaa !16
  %tobool1.not = icmp eq i64 %0, 0
  br i1 %tobool1.not, label %if.end3, label %if.then2

if.then2:                                         ; preds = %if.end
  call void @move_stains(ptr %target, ptr %origin, i64 %n)
  br label %if.end3

if.end3:                                          ; preds = %if.then2, %if.end
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %n
  %cmp4 = icmp ult ptr %target, %add.ptr
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %target, i64 %n
  %cmp6 = icmp ult ptr %origin, %add.ptr5
  %or.cond141 = select i1 %cmp4, i1 %cmp6, i1 false
  br i1 %or.cond141, label %if.then7, label %if.end13

if.then7:                                         ; preds = %if.end3
  %mul = shl i64 %n, 1
  %call = call ptr @malloc(i64 %mul) #10
  %tobool8.not = icmp eq ptr %call, null
  br i1 %tobool8.not, label %if.then9, label %if.end10

if.then9:                                         ; preds = %if.then7
  call void @fail(ptr nonnull @.str.3, ptr %file, i32 %at)
  br label %if.end10

if.end10:                                         ; preds = %if.then9, %if.then7
  %add.ptr11 = getelementptr inbounds nuw i8, ptr %call, i64 %n
  call void @take_out(ptr %target, ptr %call, ptr nonnull %add.ptr11, i64 %n, ptr %file, i32 %at)
  call void @give(ptr %origin, ptr %call, ptr nonnull %add.ptr11, i64 %n, ptr %file, i32 %at)
  call void @free(ptr %call) #9
  br label %return

if.end13:                                         ; preds = %if.end3
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #9
  call void @llvm.lifetime.start.p0(ptr nonnull %marks) #9
  br label %for.cond

for.cond:                                         ; preds = %cleanup70, %if.end13
  %k.0 = phi i64 [ 0, %if.end13 ], [ %k.1, %cleanup70 ]
  %retval.i.0 = phi i64 [ undef, %if.end13 ], [ %retval.i.3, %cleanup70 ]
  %cmp14 = icmp ult i64 %k.0, %n
  br i1 %cmp14, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr15 = getelementptr inbounds nuw i8, ptr %target, i64 %k.0
  %call16 = call ptr @marks_at(ptr %add.ptr15)
  %add.ptr17 = getelementptr inbounds nuw i8, ptr %origin, i64 %k.0
  %call18 = call ptr @marks_at(ptr %add.ptr17)
  %sub = sub nuw i64 %n, %k.0
  %1 = ptrtoint ptr %add.ptr15 to i64
  %rem.i2 = and i64 %1, 4095
  %sub.i = sub nuw nsw i64 4096, %rem.i2
  %cond.i = call i64 @llvm.umin.i64(i64 %sub, i64 %sub.i)
  %2 = ptrtoint ptr %add.ptr17 to i64
  %rem.i6 = and i64 %2, 4095
  %sub.i7 = sub nuw nsw i64 4096, %rem.i6
  %cond.i12 = call i64 @llvm.umin.i64(i64 %cond.i, i64 %sub.i7)
  %or.i = or i64 %1, %2
  %rem.i = and i64 %or.i, 7
  %cmp.i = icmp ne i64 %rem.i, 0
  %3 = load i64, ptr @waiting, align 8
  %tobool.i = icmp ne i64 %3, 0
  %or.cond142 = select i1 %cmp.i, i1 true, i1 %tobool.i
  %4 = load i64, ptr @stained, align 8
  %tobool2.i = icmp ne i64 %4, 0
  %or.cond143 = select i1 %or.cond142, i1 true, i1 %tobool2.i
  br i1 %or.cond143, label %move_words.exit, label %for.cond.i

for.cond.i:                                       ; preds = %for.body, %for.inc.i
  %k.i.0 = phi i64 [ %add.i, %for.inc.i ], [ 0, %for.body ]
  %there.addr.i.0 = phi ptr [ %incdec.ptr26.i, %for.inc.i ], [ %call18, %for.body ]
  %here.addr.i.0 = phi ptr [ %incdec.ptr.i, %for.inc.i ], [ %call16, %for.body ]
  %retval.i.1 = phi i64 [ %retval.i.2, %for.inc.i ], [ %retval.i.0, %for.body ]
  %add.i = add i64 %k.i.0, 8
  %cmp3.i.not = icmp ugt i64 %add.i, %cond.i12
  br i1 %cmp3.i.not, label %move_words.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr15, i64 %k.i.0
  %5 = load i64, ptr %add.ptr.i, align 1, !tbaa !24
  %6 = load i64, ptr %here.addr.i.0, align 1, !tbaa !24
  %or4.i = or i64 %6, %5
  %tobool5.i.not = icmp eq i64 %or4.i, 0
  %cmp7.i = icmp eq i64 %6, 5135868584551137600
  %or.cond151 = or i1 %tobool5.i.not, %cmp7.i
  br i1 %or.cond151, label %cleanup.i, label %if.end9.i

if.end9.i:                                        ; preds = %for.body.i
  %cmp10.i.not = icmp eq i64 %6, 1663540288323457296
  br i1 %cmp10.i.not, label %lor.lhs.false11.i, label %cleanup.i

lor.lhs.false11.i:                                ; preds = %if.end9.i
  %cond148 = icmp eq i64 %5, 0
  br i1 %cond148, label %if.end23.i, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %lor.lhs.false11.i
  %7 = load i64, ptr %there.addr.i.0, align 1, !tbaa !24
  switch i64 %7, label %cleanup.i [
    i64 0, label %if.then19.i
    i64 1663540288323457296, label %if.then19.i
  ]

if.then19.i:                                      ; preds = %land.lhs.true.i, %land.lhs.true.i
  %8 = load double, ptr %add.ptr.i, align 1, !tbaa !24
  %add.ptr21.i = getelementptr inbounds nuw i8, ptr %add.ptr17, i64 %k.i.0
  %9 = load double, ptr %add.ptr21.i, align 1, !tbaa !24
  %add22.i = fadd double %9, %8
  store double %add22.i, ptr %add.ptr21.i, align 1, !tbaa !24
  store i64 1663540288323457296, ptr %there.addr.i.0, align 1, !tbaa !24
  br label %if.end23.i

if.end23.i:                                       ; preds = %lor.lhs.false11.i, %if.then19.i
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !24
  store i64 0, ptr %here.addr.i.0, align 1, !tbaa !24
  br label %cleanup.i

cleanup.i:                                        ; preds = %land.lhs.true.i, %if.end9.i, %for.body.i, %if.end23.i
  %cleanup.dest.slot.i.0 = phi i32 [ 0, %if.end23.i ], [ 4, %for.body.i ], [ 1, %if.end9.i ], [ 1, %land.lhs.true.i ]
  %retval.i.2 = phi i64 [ %retval.i.1, %if.end23.i ], [ %retval.i.1, %for.body.i ], [ %k.i.0, %if.end9.i ], [ %k.i.0, %land.lhs.true.i ]
  switch i32 %cleanup.dest.slot.i.0, label %move_words.exit [
    i32 0, label %for.inc.i
    i32 4, label %for.inc.i
  ]

for.inc.i:                                        ; preds = %cleanup.i, %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %here.addr.i.0, i64 8
  %incdec.ptr26.i = getelementptr inbounds nuw i8, ptr %there.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !37

move_words.exit:                                  ; preds = %for.cond.i, %for.body, %cleanup.i
  %retval.i.3 = phi i64 [ 0, %for.body ], [ %retval.i.2, %cleanup.i ], [ %k.i.0, %for.cond.i ]
  %tobool26.not = icmp eq i64 %retval.i.3, 0
  br i1 %tobool26.not, label %if.then27, label %if.then33

if.then27:                                        ; preds = %move_words.exit
  %cmp.i21 = icmp samesign ult i64 %cond.i12, 4
  %10 = or i64 %2, %1
  %11 = and i64 %10, 3
  %12 = icmp ne i64 %11, 0
  %or.cond145.not149 = or i1 %cmp.i21, %12
  %13 = load i64, ptr @waiting, align 8
  %tobool.i25 = icmp ne i64 %13, 0
  %or.cond146 = select i1 %or.cond145.not149, i1 true, i1 %tobool.i25
  %14 = load i64, ptr @stained, align 8
  %tobool7.i = icmp ne i64 %14, 0
  %or.cond147 = select i1 %or.cond146, i1 true, i1 %tobool7.i
  br i1 %or.cond147, label %if.end34, label %lor.lhs.false8.i

lor.lhs.false8.i:                                 ; preds = %if.then27
  %15 = load i32, ptr %call16, align 1, !tbaa !24
  %cmp9.i.not = icmp eq i32 %15, 589439264
  br i1 %cmp9.i.not, label %if.end.i27, label %if.end34

if.end.i27:                                       ; preds = %lor.lhs.false8.i
  %16 = load i32, ptr %add.ptr15, align 1, !tbaa !24
  %tobool10.i.not = icmp eq i32 %16, 0
  br i1 %tobool10.i.not, label %if.end16.i, label %if.then11.i

if.then11.i:                                      ; preds = %if.end.i27
  %17 = load i32, ptr %call18, align 1, !tbaa !24
  switch i32 %17, label %if.end34 [
    i32 0, label %if.end15.i
    i32 589439264, label %if.end15.i
  ]

if.end15.i:                                       ; preds = %if.then11.i, %if.then11.i
  %18 = load float, ptr %add.ptr15, align 1, !tbaa !24
  %19 = load float, ptr %add.ptr17, align 1, !tbaa !24
  %add.i29 = fadd float %19, %18
  store float %add.i29, ptr %add.ptr17, align 1, !tbaa !24
  store i32 589439264, ptr %call18, align 1, !tbaa !24
  br label %if.end16.i

if.end16.i:                                       ; preds = %if.end15.i, %if.end.i27
  store i32 0, ptr %add.ptr15, align 1, !tbaa !24
  store i32 0, ptr %call16, align 1, !tbaa !24
  br label %if.then33

if.then33:                                        ; preds = %move_words.exit, %if.end16.i
  %done.0 = phi i64 [ %retval.i.3, %move_words.exit ], [ 4, %if.end16.i ]
  %add = add i64 %k.0, %done.0
  br label %cleanup70, !llvm.loop !38

if.end34:                                         ; preds = %if.then27, %lor.lhs.false8.i, %if.then11.i
  %add35 = add i64 %k.0, 8
  %cmp36.not = icmp ugt i64 %add35, %n
  br i1 %cmp36.not, label %if.end49, label %if.then37

if.then37:                                        ; preds = %if.end34
  %call39 = call i64 @marks_of(ptr %add.ptr15)
  switch i64 %call39, label %cleanup [
    i64 5135868584551137600, label %if.then46
    i64 0, label %land.lhs.true43
  ]

land.lhs.true43:                                  ; preds = %if.then37
  %20 = load i64, ptr %add.ptr15, align 1, !tbaa !24
  %tobool45.not = icmp eq i64 %20, 0
  br i1 %tobool45.not, label %if.then46, label %cleanup

if.then46:                                        ; preds = %if.then37, %land.lhs.true43
  br label %cleanup, !llvm.loop !38

cleanup:                                          ; preds = %land.lhs.true43, %if.then37, %if.then46
  %k.3 = phi i64 [ %add35, %if.then46 ], [ %k.0, %if.then37 ], [ %k.0, %land.lhs.true43 ]
  %cond = phi i1 [ false, %if.then46 ], [ true, %if.then37 ], [ true, %land.lhs.true43 ]
  br i1 %cond, label %if.end49, label %cleanup70

if.end49:                                         ; preds = %cleanup, %if.end34
  %k.2 = phi i64 [ %k.0, %if.end34 ], [ %k.3, %cleanup ]
  %21 = load i64, ptr @waiting, align 8, !tbaa !16
  %tobool50.not = icmp eq i64 %21, 0
  br i1 %tobool50.not, label %land.lhs.true51, label %if.end58

land.lhs.true51:                                  ; preds = %if.end49
  %arrayidx = getelementptr inbounds nuw i8, ptr %target, i64 %k.2
  %22 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %tobool52.not = icmp eq i8 %22, 0
  br i1 %tobool52.not, label %land.lhs.true53, label %if.end58

land.lhs.true53:                                  ; preds = %land.lhs.true51
  %call55 = call i8 @mark_of(ptr nonnull %arrayidx)
  %tobool56.not = icmp eq i8 %call55, 0
  br i1 %tobool56.not, label %if.then57, label %if.end58

if.then57:                                        ; preds = %land.lhs.true53
  %inc = add i64 %k.2, 1
  br label %cleanup70, !llvm.loop !38

if.end58:                                         ; preds = %land.lhs.true53, %land.lhs.true51, %if.end49
  %add.ptr59 = getelementptr inbounds nuw i8, ptr %target, i64 %k.2
  %sub60 = sub i64 %n, %k.2
  %call61 = call i32 @unit(ptr %add.ptr59, i64 %sub60)
  %conv = sext i32 %call61 to i64
  call void @take_out(ptr %add.ptr59, ptr nonnull %bits, ptr nonnull %marks, i64 %conv, ptr %file, i32 %at)
  %add.ptr64 = getelementptr inbounds nuw i8, ptr %origin, i64 %k.2
  call void @give(ptr %add.ptr64, ptr nonnull %bits, ptr nonnull %marks, i64 %conv, ptr %file, i32 %at)
  %add69 = add i64 %k.2, %conv
  br label %cleanup70

cleanup70:                                        ; preds = %cleanup, %if.end58, %if.then57, %if.then33
  %k.1 = phi i64 [ %add, %if.then33 ], [ %k.3, %cleanup ], [ %add69, %if.end58 ], [ %inc, %if.then57 ]
  br label %for.cond

for.end:                                          ; preds = %for.cond
  call void @llvm.lifetime.end.p0(ptr nonnull %marks) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #9
  br label %return

return:                                           ; preds = %entry, %for.end, %if.end10
  ret void
}

define void @em.kinds.clear(ptr %p, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i33 = lshr i64 %0, 12
  %rem.i = and i64 %div.i33, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %1 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %cond.end, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load i64, ptr %1, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %2, %div.i33
  br i1 %cmp.i, label %cond.true.i, label %cond.end

cond.true.i:                                      ; preds = %land.lhs.true.i
  %rem = and i64 %0, 4095
  %sub = sub nuw nsw i64 4096, %rem
  %cmp.not = icmp ugt i64 %n, %sub
  br i1 %cmp.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %cond.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %rem2.i = and i64 %0, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  %rem.i2 = and i64 %0, 7
  %cmp.i3 = icmp ne i64 %rem.i2, 0
  %3 = load i64, ptr @waiting, align 8
  %tobool.i4 = icmp ne i64 %3, 0
  %or.cond = select i1 %cmp.i3, i1 true, i1 %tobool.i4
  %4 = load i64, ptr @stained, align 8
  %tobool2.i = icmp ne i64 %4, 0
  %or.cond32 = select i1 %or.cond, i1 true, i1 %tobool2.i
  br i1 %or.cond32, label %cond.end, label %for.cond.i

for.cond.i:                                       ; preds = %cond.true, %if.end15.i
  %k.i.0 = phi i64 [ %add.i, %if.end15.i ], [ 0, %cond.true ]
  %marks.addr.i.0 = phi ptr [ %incdec.ptr.i, %if.end15.i ], [ %arrayidx3.i, %cond.true ]
  %add.i = add i64 %k.i.0, 8
  %cmp3.i.not = icmp ugt i64 %add.i, %n
  br i1 %cmp3.i.not, label %cond.end, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %5 = load i64, ptr %marks.addr.i.0, align 1, !tbaa !24
  switch i64 %5, label %cond.end [
    i64 1663540288323457296, label %if.then7.i
    i64 2531622362447749408, label %if.then7.i
    i64 5135868584551137600, label %if.end15.i
    i64 0, label %lor.lhs.false10.i
  ]

if.then7.i:                                       ; preds = %for.body.i, %for.body.i
  store i64 0, ptr %marks.addr.i.0, align 1, !tbaa !24
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %p, i64 %k.i.0
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !24
  br label %if.end15.i

lor.lhs.false10.i:                                ; preds = %for.body.i
  %add.ptr11.i = getelementptr inbounds nuw i8, ptr %p, i64 %k.i.0
  %6 = load i64, ptr %add.ptr11.i, align 1, !tbaa !24
  %tobool12.i.not = icmp eq i64 %6, 0
  br i1 %tobool12.i.not, label %if.end15.i, label %cond.end

if.end15.i:                                       ; preds = %for.body.i, %lor.lhs.false10.i, %if.then7.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %marks.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !39

cond.end:                                         ; preds = %entry, %land.lhs.true.i, %for.body.i, %cond.true.i, %cond.true, %lor.lhs.false10.i, %for.cond.i
  %cond = phi i64 [ %k.i.0, %for.cond.i ], [ %k.i.0, %for.body.i ], [ 0, %cond.true ], [ %k.i.0, %lor.lhs.false10.i ], [ 0, %cond.true.i ], [ 0, %land.lhs.true.i ], [ 0, %entry ]
  %cmp2 = icmp ult i64 %cond, %n
  br i1 %cmp2, label %if.then, label %if.end

if.then:                                          ; preds = %cond.end
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %cond
  %sub3 = sub nuw i64 %n, %cond
  call void @clear_bytes(ptr %add.ptr, i64 %sub3, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret void
}

define internal void @clear_bytes(ptr %p, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %0 = load i64, ptr @stained, align 8, !tbaa !16
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @wash_all(ptr %p, i64 %n)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %if.end
  %k.0 = phi i64 [ 0, %if.end ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call ptr @marks_at(ptr %add.ptr)
  %sub = sub nuw i64 %n, %k.0
  %1 = ptrtoint ptr %add.ptr to i64
  %rem.i3 = and i64 %1, 4095
  %sub.i = sub nuw nsw i64 4096, %rem.i3
  %cond.i = call i64 @llvm.umin.i64(i64 %sub, i64 %sub.i)
  %rem.i = and i64 %1, 7
  %cmp.i = icmp ne i64 %rem.i, 0
  %2 = load i64, ptr @waiting, align 8
  %tobool.i = icmp ne i64 %2, 0
  %or.cond = select i1 %cmp.i, i1 true, i1 %tobool.i
  %3 = load i64, ptr @stained, align 8
  %tobool2.i = icmp ne i64 %3, 0
  %or.cond52 = select i1 %or.cond, i1 true, i1 %tobool2.i
  br i1 %or.cond52, label %clear_words.exit, label %for.cond.i

for.cond.i:                                       ; preds = %for.body, %if.end15.i
  %k.i.0 = phi i64 [ %add.i, %if.end15.i ], [ 0, %for.body ]
  %marks.addr.i.0 = phi ptr [ %incdec.ptr.i, %if.end15.i ], [ %call, %for.body ]
  %add.i = add i64 %k.i.0, 8
  %cmp3.i.not = icmp ugt i64 %add.i, %cond.i
  br i1 %cmp3.i.not, label %clear_words.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %4 = load i64, ptr %marks.addr.i.0, align 1, !tbaa !24
  switch i64 %4, label %clear_words.exit [
    i64 1663540288323457296, label %if.then7.i
    i64 2531622362447749408, label %if.then7.i
    i64 5135868584551137600, label %if.end15.i
    i64 0, label %lor.lhs.false10.i
  ]

if.then7.i:                                       ; preds = %for.body.i, %for.body.i
  store i64 0, ptr %marks.addr.i.0, align 1, !tbaa !24
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k.i.0
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !24
  br label %if.end15.i

lor.lhs.false10.i:                                ; preds = %for.body.i
  %add.ptr11.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k.i.0
  %5 = load i64, ptr %add.ptr11.i, align 1, !tbaa !24
  %tobool12.i.not = icmp eq i64 %5, 0
  br i1 %tobool12.i.not, label %if.end15.i, label %clear_words.exit

if.end15.i:                                       ; preds = %for.body.i, %lor.lhs.false10.i, %if.then7.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %marks.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !39

clear_words.exit:                                 ; preds = %for.body.i, %for.cond.i, %lor.lhs.false10.i, %for.body
  %retval.i.0 = phi i64 [ %k.i.0, %for.body.i ], [ 0, %for.body ], [ %k.i.0, %lor.lhs.false10.i ], [ %k.i.0, %for.cond.i ]
  %add = add i64 %k.0, %retval.i.0
  %cmp5.not = icmp eq i64 %add, %n
  br i1 %cmp5.not, label %for.end, label %if.end7

if.end7:                                          ; preds = %clear_words.exit
  %add.ptr8 = getelementptr inbounds nuw i8, ptr %p, i64 %add
  %call9 = call ptr @known_more(ptr %add.ptr8)
  %call11 = call i8 @mark_of(ptr %add.ptr8)
  %cond54 = icmp eq i8 %call11, 0
  br i1 %cond54, label %land.lhs.true, label %land.lhs.true18

land.lhs.true:                                    ; preds = %if.end7
  %6 = load i8, ptr %add.ptr8, align 1, !tbaa !24
  %tobool14.not = icmp eq i8 %6, 0
  br i1 %tobool14.not, label %if.end24, label %if.then15

if.then15:                                        ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.7, ptr %file, i32 %at)
  br label %if.end24

land.lhs.true18:                                  ; preds = %if.end7
  %7 = and i8 %call11, -16
  %cmp19.old.not = icmp eq i8 %7, 64
  br i1 %cmp19.old.not, label %if.end24, label %if.then21

if.then21:                                        ; preds = %land.lhs.true18
  store i8 0, ptr %add.ptr8, align 1, !tbaa !24
  call void @set_mark(ptr nonnull %add.ptr8, i32 0)
  br label %if.end24

if.end24:                                         ; preds = %land.lhs.true, %if.then15, %if.then21, %land.lhs.true18
  %tobool25.not = icmp eq ptr %call9, null
  br i1 %tobool25.not, label %for.inc, label %land.lhs.true26

land.lhs.true26:                                  ; preds = %if.end24
  %8 = ptrtoint ptr %add.ptr8 to i64
  %rem = and i64 %8, 4095
  %arrayidx28 = getelementptr inbounds nuw i8, ptr %call9, i64 %rem
  %9 = load i8, ptr %arrayidx28, align 1, !tbaa !24
  %tobool30.not = icmp eq i8 %9, 0
  br i1 %tobool30.not, label %for.inc, label %if.then31

if.then31:                                        ; preds = %land.lhs.true26
  store i8 0, ptr %arrayidx28, align 1, !tbaa !24
  %10 = load i64, ptr @waiting, align 8, !tbaa !16
  %dec = add i64 %10, -1
  store i64 %dec, ptr @waiting, align 8, !tbaa !16
  br label %for.inc

for.inc:                                          ; preds = %if.then31, %land.lhs.true26, %if.end24
  %inc = add i64 %add, 1
  br label %for.cond, !llvm.loop !40

for.end:                                          ; preds = %clear_words.exit, %for.cond
  ret void
}

define void @em.kinds.point(ptr %p, ptr %shadow, ptr %file, i32 %at) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 7
  %cmp = icmp eq i64 %rem, 0
  br i1 %cmp, label %cond.true, label %cond.end

cond.true:                                        ; preds = %entry
  %call = call ptr @marks_at(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi ptr [ %call, %cond.true ], [ null, %entry ]
  store i64 1, ptr @pointers, align 8, !tbaa !16
  %tobool.not = icmp eq ptr %cond, null
  br i1 %tobool.not, label %if.else, label %land.lhs.true

land.lhs.true:                                    ; preds = %cond.end
  %1 = load i64, ptr %cond, align 1, !tbaa !24
  %tobool1.not = icmp eq i64 %1, 0
  br i1 %tobool1.not, label %if.then, label %if.else

if.then:                                          ; preds = %land.lhs.true
  store i64 5135868584551137600, ptr %cond, align 1, !tbaa !24
  br label %if.end9

if.else:                                          ; preds = %land.lhs.true, %cond.end
  %call2 = call i64 @marks_of(ptr %p)
  %cmp3.not = icmp eq i64 %call2, 5135868584551137600
  br i1 %cmp3.not, label %if.end9, label %if.then4

if.then4:                                         ; preds = %if.else
  %call5 = call i32 @holds_adjoint(ptr %p, i32 8)
  %tobool6.not = icmp eq i32 %call5, 0
  br i1 %tobool6.not, label %if.end, label %if.then7

if.then7:                                         ; preds = %if.then4
  call void @fail(ptr nonnull @.str, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then7, %if.then4
  call void @mark_all(ptr %p, i32 64, i32 8)
  br label %if.end9

if.end9:                                          ; preds = %if.else, %if.end, %if.then
  store ptr %shadow, ptr %p, align 1
  ret void
}

define internal ptr @marks_at(ptr %p) #0 {
entry:
  %call = call ptr @page_of(ptr %p)
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 24
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem
  ret ptr %arrayidx
}

define internal i64 @marks_of(ptr %p) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %found.0 = phi i64 [ 0, %entry ], [ %or, %for.body ]
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp samesign ult i32 %k.0, 8
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call i8 @mark_of(ptr %add.ptr)
  %conv = zext i8 %call to i64
  %mul = shl nuw nsw i32 %k.0, 3
  %sh_prom = zext nneg i32 %mul to i64
  %shl = shl nuw i64 %conv, %sh_prom
  %or = or i64 %found.0, %shl
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !41

for.end:                                          ; preds = %for.cond
  ret i64 %found.0
}

define internal i32 @holds_adjoint(ptr %p, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %if.end, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %if.end ]
  %cmp.not = icmp slt i32 %k.0, %n
  br i1 %cmp.not, label %for.body, label %cleanup6

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call i8 @mark_of(ptr %add.ptr)
  %tobool = icmp ne i8 %call, 0
  %0 = and i8 %call, -16
  %cmp1 = icmp ne i8 %0, 64
  %or.cond = and i1 %tobool, %cmp1
  br i1 %or.cond, label %land.lhs.true3, label %if.end

land.lhs.true3:                                   ; preds = %for.body
  %1 = load i8, ptr %add.ptr, align 1, !tbaa !24
  %tobool5.not = icmp eq i8 %1, 0
  br i1 %tobool5.not, label %if.end, label %cleanup6

if.end:                                           ; preds = %land.lhs.true3, %for.body
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !42

cleanup6:                                         ; preds = %land.lhs.true3, %for.cond
  %switch.select = zext i1 %cmp.not to i32
  ret i32 %switch.select
}

define internal void @fail(ptr %text, ptr %file, i32 %line) #0 {
entry:
  call void @em.run.bytes(ptr %text, ptr %file, i32 %line) #11
  unreachable
}

define void @em.kinds.copy_pointers(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %0 = load i64, ptr @pointers, align 8, !tbaa !16
  %tobool.i17.not = icmp eq i64 %0, 0
  br i1 %tobool.i17.not, label %while.cond.i, label %copy_nothing.exit

while.cond.i:                                     ; preds = %land.rhs.i, %entry
  %k.i.0 = phi i64 [ 0, %entry ], [ %add.i, %land.rhs.i ]
  %add.i = add i64 %k.i.0, 8
  %cmp.i18.not = icmp ugt i64 %add.i, %n
  br i1 %cmp.i18.not, label %while.end.i, label %land.rhs.i

land.rhs.i:                                       ; preds = %while.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %origin, i64 %k.i.0
  %1 = load i64, ptr %add.ptr.i, align 1, !tbaa !24
  %tobool1.i.not = icmp eq i64 %1, 0
  br i1 %tobool1.i.not, label %while.cond.i, label %while.end.i, !llvm.loop !43

while.end.i:                                      ; preds = %while.cond.i, %land.rhs.i
  br label %while.cond3.i

while.cond3.i:                                    ; preds = %while.body9.i, %while.end.i
  %k.i.1 = phi i64 [ %k.i.0, %while.end.i ], [ %inc.i, %while.body9.i ]
  %cmp4.i = icmp ult i64 %k.i.1, %n
  br i1 %cmp4.i, label %land.rhs5.i, label %copy_nothing.exit

land.rhs5.i:                                      ; preds = %while.cond3.i
  %arrayidx.i19 = getelementptr inbounds nuw i8, ptr %origin, i64 %k.i.1
  %2 = load i8, ptr %arrayidx.i19, align 1, !tbaa !24
  %tobool6.i.not = icmp eq i8 %2, 0
  br i1 %tobool6.i.not, label %while.body9.i, label %copy_nothing.exit

while.body9.i:                                    ; preds = %land.rhs5.i
  %inc.i = add i64 %k.i.1, 1
  br label %while.cond3.i, !llvm.loop !44

copy_nothing.exit:                                ; preds = %land.rhs5.i, %while.cond3.i, %entry
  %retval.i.0 = phi i64 [ 0, %entry ], [ %k.i.1, %while.cond3.i ], [ %k.i.1, %land.rhs5.i ]
  %cmp = icmp eq i64 %retval.i.0, %n
  br i1 %cmp, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %copy_nothing.exit
  %add.ptr = getelementptr inbounds nuw i8, ptr %target, i64 %retval.i.0
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %origin, i64 %retval.i.0
  %sub = sub i64 %n, %retval.i.0
  %3 = ptrtoint ptr %add.ptr to i64
  %div.i4102 = lshr i64 %3, 12
  %rem.i5 = and i64 %div.i4102, 255
  %arrayidx.i6 = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i5
  %4 = load ptr, ptr %arrayidx.i6, align 8, !tbaa !0
  %tobool.i7.not = icmp eq ptr %4, null
  br i1 %tobool.i7.not, label %at_hand.exit16, label %land.lhs.true.i10

land.lhs.true.i10:                                ; preds = %if.end
  %5 = load i64, ptr %4, align 8, !tbaa !26
  %cmp.i11 = icmp eq i64 %5, %div.i4102
  br i1 %cmp.i11, label %cond.true.i12, label %at_hand.exit16

cond.true.i12:                                    ; preds = %land.lhs.true.i10
  %mark.i13 = getelementptr inbounds nuw i8, ptr %4, i64 24
  %rem2.i14 = and i64 %3, 4095
  %arrayidx3.i15 = getelementptr inbounds nuw i8, ptr %mark.i13, i64 %rem2.i14
  br label %at_hand.exit16

at_hand.exit16:                                   ; preds = %if.end, %land.lhs.true.i10, %cond.true.i12
  %phiofops105 = phi i1 [ false, %if.end ], [ false, %land.lhs.true.i10 ], [ true, %cond.true.i12 ]
  %cond.i9 = phi ptr [ null, %if.end ], [ null, %land.lhs.true.i10 ], [ %arrayidx3.i15, %cond.true.i12 ]
  %6 = ptrtoint ptr %add.ptr1 to i64
  %div.i103 = lshr i64 %6, 12
  %rem.i = and i64 %div.i103, 255
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr @near, i64 %rem.i
  %7 = load ptr, ptr %arrayidx.i, align 8, !tbaa !0
  %tobool.i.not = icmp eq ptr %7, null
  br i1 %tobool.i.not, label %at_hand.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %at_hand.exit16
  %8 = load i64, ptr %7, align 8, !tbaa !26
  %cmp.i = icmp eq i64 %8, %div.i103
  br i1 %cmp.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %land.lhs.true.i
  %mark.i = getelementptr inbounds nuw i8, ptr %7, i64 24
  %rem2.i = and i64 %6, 4095
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %rem2.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %at_hand.exit16, %land.lhs.true.i, %cond.true.i
  %phiofops = phi i1 [ false, %at_hand.exit16 ], [ false, %land.lhs.true.i ], [ true, %cond.true.i ]
  %cond.i = phi ptr [ null, %at_hand.exit16 ], [ null, %land.lhs.true.i ], [ %arrayidx3.i, %cond.true.i ]
  %or.cond = and i1 %phiofops105, %phiofops
  br i1 %or.cond, label %land.lhs.true5, label %cond.end

land.lhs.true5:                                   ; preds = %at_hand.exit
  %rem = and i64 %3, 4095
  %sub6 = sub nuw nsw i64 4096, %rem
  %cmp7.not = icmp ugt i64 %sub, %sub6
  br i1 %cmp7.not, label %cond.end, label %land.lhs.true8

land.lhs.true8:                                   ; preds = %land.lhs.true5
  %rem9 = and i64 %6, 4095
  %sub10 = sub nuw nsw i64 4096, %rem9
  %cmp11.not = icmp ugt i64 %sub, %sub10
  br i1 %cmp11.not, label %cond.end, label %land.rhs

land.rhs:                                         ; preds = %land.lhs.true8
  %add.ptr12 = getelementptr inbounds nuw i8, ptr %origin, i64 %n
  %cmp13 = icmp ult ptr %add.ptr, %add.ptr12
  %add.ptr14 = getelementptr inbounds nuw i8, ptr %target, i64 %n
  %cmp15 = icmp ult ptr %add.ptr1, %add.ptr14
  %.not = select i1 %cmp13, i1 %cmp15, i1 false
  br i1 %.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %land.rhs
  %or.i = or i64 %3, %6
  %rem.i25 = and i64 %or.i, 7
  %cmp.i26 = icmp eq i64 %rem.i25, 0
  br i1 %cmp.i26, label %for.cond.i, label %cond.end

for.cond.i:                                       ; preds = %cond.true, %cleanup.cont.i
  %k.i23.0 = phi i64 [ %add.i29, %cleanup.cont.i ], [ 0, %cond.true ]
  %from.addr.i.0 = phi ptr [ %incdec.ptr24.i, %cleanup.cont.i ], [ %cond.i, %cond.true ]
  %to.addr.i.0 = phi ptr [ %incdec.ptr.i, %cleanup.cont.i ], [ %cond.i9, %cond.true ]
  %retval.i20.0 = phi i64 [ %retval.i20.1, %cleanup.cont.i ], [ undef, %cond.true ]
  %add.i29 = add i64 %k.i23.0, 8
  %cmp1.i.not = icmp ugt i64 %add.i29, %sub
  br i1 %cmp1.i.not, label %cond.end, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i30 = getelementptr inbounds nuw i8, ptr %add.ptr1, i64 %k.i23.0
  %9 = load i64, ptr %add.ptr.i30, align 1, !tbaa !24
  %.fr = freeze i64 %9
  %add.ptr2.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k.i23.0
  %10 = load i64, ptr %add.ptr2.i, align 1, !tbaa !24
  %11 = load i64, ptr %from.addr.i.0, align 1, !tbaa !24
  %12 = load i64, ptr %to.addr.i.0, align 1, !tbaa !24
  %or3.i = or i64 %11, %12
  %and.i = and i64 %or3.i, 4629771061636907072
  %tobool.i31.not = icmp eq i64 %and.i, 0
  br i1 %tobool.i31.not, label %if.then4.i, label %if.else.i

if.then4.i:                                       ; preds = %for.body.i
  %tobool5.i.not = icmp eq i64 %.fr, 0
  br i1 %tobool5.i.not, label %if.end21.i, label %switch.early.test

switch.early.test:                                ; preds = %if.then4.i
  switch i64 %11, label %cleanup.i [
    i64 2531622362447749408, label %if.end21.i
    i64 1663540288323457296, label %if.end21.i
  ]

if.else.i:                                        ; preds = %for.body.i
  %cmp11.i.not = icmp eq i64 %11, 5135868584551137600
  br i1 %cmp11.i.not, label %lor.lhs.false.i, label %cleanup.i

lor.lhs.false.i:                                  ; preds = %if.else.i
  switch i64 %12, label %cleanup.i [
    i64 0, label %cond.false.i33
    i64 5135868584551137600, label %if.else18.i
  ]

cond.false.i33:                                   ; preds = %lor.lhs.false.i
  %tobool16.i.not = icmp eq i64 %10, 0
  br i1 %tobool16.i.not, label %if.else18.i, label %cleanup.i

if.else18.i:                                      ; preds = %lor.lhs.false.i, %cond.false.i33
  store i64 %.fr, ptr %add.ptr2.i, align 1, !tbaa !24
  store i64 5135868584551137600, ptr %to.addr.i.0, align 1, !tbaa !24
  br label %if.end21.i

if.end21.i:                                       ; preds = %switch.early.test, %switch.early.test, %if.then4.i, %if.else18.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %switch.early.test, %lor.lhs.false.i, %if.else.i, %cond.false.i33, %if.end21.i
  %cond35 = phi i1 [ false, %switch.early.test ], [ true, %if.end21.i ], [ false, %cond.false.i33 ], [ false, %lor.lhs.false.i ], [ false, %if.else.i ]
  %retval.i20.1 = phi i64 [ %k.i23.0, %switch.early.test ], [ %retval.i20.0, %if.end21.i ], [ %k.i23.0, %cond.false.i33 ], [ %k.i23.0, %lor.lhs.false.i ], [ %k.i23.0, %if.else.i ]
  br i1 %cond35, label %cleanup.cont.i, label %cond.end

cleanup.cont.i:                                   ; preds = %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %to.addr.i.0, i64 8
  %incdec.ptr24.i = getelementptr inbounds nuw i8, ptr %from.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !45

cond.end:                                         ; preds = %land.lhs.true8, %land.lhs.true5, %at_hand.exit, %land.rhs, %cleanup.i, %cond.true, %for.cond.i
  %cond = phi i64 [ %k.i23.0, %for.cond.i ], [ %retval.i20.1, %cleanup.i ], [ 0, %cond.true ], [ 0, %land.rhs ], [ 0, %at_hand.exit ], [ 0, %land.lhs.true5 ], [ 0, %land.lhs.true8 ]
  %cmp18 = icmp ult i64 %cond, %sub
  br i1 %cmp18, label %if.then19, label %cleanup.cont

if.then19:                                        ; preds = %cond.end
  %add.ptr20 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %cond
  %add.ptr21 = getelementptr inbounds nuw i8, ptr %add.ptr1, i64 %cond
  %sub22 = sub nuw i64 %sub, %cond
  call void @copy_bytes(ptr %add.ptr20, ptr %add.ptr21, i64 %sub22, ptr %file, i32 %at)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %copy_nothing.exit, %if.then19, %cond.end
  ret void
}

define internal void @copy_bytes(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %cmp = icmp eq ptr %target, %origin
  br i1 %cmp, label %if.end37, label %if.end

if.end:                                           ; preds = %entry
  %cmp1 = icmp ult ptr %target, %origin
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %n
  %cmp2 = icmp uge ptr %target, %add.ptr
  %or.cond = select i1 %cmp1, i1 true, i1 %cmp2
  br i1 %or.cond, label %for.cond, label %for.cond25

for.cond:                                         ; preds = %if.end, %if.end17
  %k.0 = phi i64 [ %inc, %if.end17 ], [ 0, %if.end ]
  %retval.i.0 = phi i64 [ %retval.i.3, %if.end17 ], [ undef, %if.end ]
  %cmp4 = icmp ult i64 %k.0, %n
  br i1 %cmp4, label %for.body, label %if.end37

for.body:                                         ; preds = %for.cond
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %target, i64 %k.0
  %call = call ptr @marks_at(ptr %add.ptr5)
  %add.ptr6 = getelementptr inbounds nuw i8, ptr %origin, i64 %k.0
  %call7 = call ptr @marks_at(ptr %add.ptr6)
  %sub = sub nuw i64 %n, %k.0
  %0 = ptrtoint ptr %add.ptr5 to i64
  %rem.i2 = and i64 %0, 4095
  %sub.i = sub nuw nsw i64 4096, %rem.i2
  %cond.i = call i64 @llvm.umin.i64(i64 %sub, i64 %sub.i)
  %1 = ptrtoint ptr %add.ptr6 to i64
  %rem.i8 = and i64 %1, 4095
  %sub.i9 = sub nuw nsw i64 4096, %rem.i8
  %cond.i14 = call i64 @llvm.umin.i64(i64 %cond.i, i64 %sub.i9)
  %or.i = or i64 %0, %1
  %rem.i = and i64 %or.i, 7
  %cmp.i = icmp eq i64 %rem.i, 0
  br i1 %cmp.i, label %for.cond.i, label %copy_words.exit

for.cond.i:                                       ; preds = %for.body, %cleanup.cont.i
  %k.i.0 = phi i64 [ %add.i, %cleanup.cont.i ], [ 0, %for.body ]
  %from.addr.i.0 = phi ptr [ %incdec.ptr24.i, %cleanup.cont.i ], [ %call7, %for.body ]
  %to.addr.i.0 = phi ptr [ %incdec.ptr.i, %cleanup.cont.i ], [ %call, %for.body ]
  %retval.i.1 = phi i64 [ %retval.i.2, %cleanup.cont.i ], [ %retval.i.0, %for.body ]
  %add.i = add i64 %k.i.0, 8
  %cmp1.i.not = icmp ugt i64 %add.i, %cond.i14
  br i1 %cmp1.i.not, label %copy_words.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr6, i64 %k.i.0
  %2 = load i64, ptr %add.ptr.i, align 1, !tbaa !24
  %.fr = freeze i64 %2
  %add.ptr2.i = getelementptr inbounds nuw i8, ptr %add.ptr5, i64 %k.i.0
  %3 = load i64, ptr %add.ptr2.i, align 1, !tbaa !24
  %4 = load i64, ptr %from.addr.i.0, align 1, !tbaa !24
  %5 = load i64, ptr %to.addr.i.0, align 1, !tbaa !24
  %or3.i = or i64 %4, %5
  %and.i = and i64 %or3.i, 4629771061636907072
  %tobool.i.not = icmp eq i64 %and.i, 0
  br i1 %tobool.i.not, label %if.then4.i, label %if.else.i

if.then4.i:                                       ; preds = %for.body.i
  %tobool5.i.not = icmp eq i64 %.fr, 0
  br i1 %tobool5.i.not, label %if.end21.i, label %switch.early.test

switch.early.test:                                ; preds = %if.then4.i
  switch i64 %4, label %cleanup.i [
    i64 2531622362447749408, label %if.end21.i
    i64 1663540288323457296, label %if.end21.i
  ]

if.else.i:                                        ; preds = %for.body.i
  %cmp11.i.not = icmp eq i64 %4, 5135868584551137600
  br i1 %cmp11.i.not, label %lor.lhs.false.i, label %cleanup.i

lor.lhs.false.i:                                  ; preds = %if.else.i
  switch i64 %5, label %cleanup.i [
    i64 0, label %cond.false.i
    i64 5135868584551137600, label %if.else18.i
  ]

cond.false.i:                                     ; preds = %lor.lhs.false.i
  %tobool16.i.not = icmp eq i64 %3, 0
  br i1 %tobool16.i.not, label %if.else18.i, label %cleanup.i

if.else18.i:                                      ; preds = %lor.lhs.false.i, %cond.false.i
  store i64 %.fr, ptr %add.ptr2.i, align 1, !tbaa !24
  store i64 5135868584551137600, ptr %to.addr.i.0, align 1, !tbaa !24
  br label %if.end21.i

if.end21.i:                                       ; preds = %switch.early.test, %switch.early.test, %if.then4.i, %if.else18.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %switch.early.test, %lor.lhs.false.i, %if.else.i, %cond.false.i, %if.end21.i
  %cond = phi i1 [ false, %switch.early.test ], [ true, %if.end21.i ], [ false, %cond.false.i ], [ false, %lor.lhs.false.i ], [ false, %if.else.i ]
  %retval.i.2 = phi i64 [ %k.i.0, %switch.early.test ], [ %retval.i.1, %if.end21.i ], [ %k.i.0, %cond.false.i ], [ %k.i.0, %lor.lhs.false.i ], [ %k.i.0, %if.else.i ]
  br i1 %cond, label %cleanup.cont.i, label %copy_words.exit

cleanup.cont.i:                                   ; preds = %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %to.addr.i.0, i64 8
  %incdec.ptr24.i = getelementptr inbounds nuw i8, ptr %from.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !45

copy_words.exit:                                  ; preds = %for.cond.i, %for.body, %cleanup.i
  %retval.i.3 = phi i64 [ %retval.i.2, %cleanup.i ], [ 0, %for.body ], [ %k.i.0, %for.cond.i ]
  %add = add i64 %k.0, %retval.i.3
  %cmp15.not = icmp eq i64 %add, %n
  br i1 %cmp15.not, label %if.end37, label %if.end17

if.end17:                                         ; preds = %copy_words.exit
  %add.ptr18 = getelementptr inbounds nuw i8, ptr %target, i64 %add
  %add.ptr19 = getelementptr inbounds nuw i8, ptr %origin, i64 %add
  %call20 = call i8 @mark_of(ptr %add.ptr19)
  %conv = zext i8 %call20 to i32
  %6 = load i8, ptr %add.ptr19, align 1, !tbaa !24
  call void @copy_byte(ptr %add.ptr18, i32 %conv, i8 %6, ptr %file, i32 %at)
  %inc = add i64 %add, 1
  br label %for.cond, !llvm.loop !46

for.cond25:                                       ; preds = %if.end, %for.body29
  %k24.0 = phi i64 [ %dec, %for.body29 ], [ %n, %if.end ]
  %cmp26.not = icmp eq i64 %k24.0, 0
  br i1 %cmp26.not, label %if.end37, label %for.body29

for.body29:                                       ; preds = %for.cond25
  %dec = add i64 %k24.0, -1
  %add.ptr30 = getelementptr inbounds nuw i8, ptr %target, i64 %dec
  %add.ptr31 = getelementptr inbounds nuw i8, ptr %origin, i64 %dec
  %call32 = call i8 @mark_of(ptr %add.ptr31)
  %conv33 = zext i8 %call32 to i32
  %7 = load i8, ptr %add.ptr31, align 1, !tbaa !24
  call void @copy_byte(ptr %add.ptr30, i32 %conv33, i8 %7, ptr %file, i32 %at)
  br label %for.cond25, !llvm.loop !47

if.end37:                                         ; preds = %copy_words.exit, %for.cond, %for.cond25, %entry
  ret void
}

define void @em.kinds.no_pointers(ptr %p, i64 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i8 @mark_of(ptr %add.ptr)
  %0 = and i8 %call, -16
  %cmp1 = icmp eq i8 %0, 64
  br i1 %cmp1, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !48

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.copied(ptr %target, ptr %origin, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc44, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc44 ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.cond1, label %for.end46

for.cond1:                                        ; preds = %cleanup, %for.cond
  %k.1 = phi i64 [ %k.0, %for.cond ], [ %add, %cleanup ]
  %add = add i64 %k.1, 8
  %cmp2 = icmp ule i64 %add, %n
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %k.1
  %0 = ptrtoint ptr %add.ptr to i64
  %rem = and i64 %0, 7
  %cmp3 = icmp eq i64 %rem, 0
  %or.cond = select i1 %cmp2, i1 %cmp3, i1 false
  %add.ptr4 = getelementptr inbounds nuw i8, ptr %target, i64 %k.1
  %1 = ptrtoint ptr %add.ptr4 to i64
  %rem5 = and i64 %1, 7
  %cmp6 = icmp eq i64 %rem5, 0
  %or.cond28 = select i1 %or.cond, i1 %cmp6, i1 false
  br i1 %or.cond28, label %for.body7, label %for.end

for.body7:                                        ; preds = %for.cond1
  %call = call ptr @known(ptr %add.ptr)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.end27, label %land.lhs.true12

land.lhs.true12:                                  ; preds = %for.body7
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 24
  %rem10 = and i64 %0, 4088
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem10
  %2 = load i64, ptr %arrayidx, align 1, !tbaa !24
  switch i64 %2, label %cleanup [
    i64 5135868584551137600, label %if.then
    i64 1663540288323457296, label %if.then
    i64 0, label %if.end27
  ]

if.then:                                          ; preds = %land.lhs.true12, %land.lhs.true12
  %call18 = call ptr @page_of(ptr %add.ptr4)
  %mark19 = getelementptr inbounds nuw i8, ptr %call18, i64 24
  %rem21 = and i64 %1, 4088
  %arrayidx22 = getelementptr inbounds nuw i8, ptr %mark19, i64 %rem21
  store i64 %2, ptr %arrayidx22, align 1, !tbaa !24
  br label %if.end27

if.end27:                                         ; preds = %land.lhs.true12, %for.body7, %if.then
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true12, %if.end27
  %cleanup.dest.slot.0 = phi i32 [ 0, %if.end27 ], [ 5, %land.lhs.true12 ]
  switch i32 %cleanup.dest.slot.0, label %unreachable [
    i32 0, label %for.cond1
    i32 5, label %for.end
  ], !llvm.loop !49

for.end:                                          ; preds = %for.cond1, %cleanup
  %cmp31 = icmp ult i64 %k.1, %n
  br i1 %cmp31, label %cond.true33, label %cond.end38

cond.true33:                                      ; preds = %for.end
  %call35 = call i8 @mark_of(ptr %add.ptr)
  %conv36 = zext i8 %call35 to i32
  br label %cond.end38

cond.end38:                                       ; preds = %for.end, %cond.true33
  %cond39 = phi i32 [ %conv36, %cond.true33 ], [ 0, %for.end ]
  %tobool40.not = icmp eq i32 %cond39, 0
  br i1 %tobool40.not, label %for.inc44, label %if.then41

if.then41:                                        ; preds = %cond.end38
  call void @set_mark(ptr %add.ptr4, i32 %cond39)
  br label %for.inc44

for.inc44:                                        ; preds = %cond.end38, %if.then41
  %inc = add i64 %k.1, 1
  br label %for.cond, !llvm.loop !50

for.end46:                                        ; preds = %for.cond
  ret void

unreachable:                                      ; preds = %cleanup
  unreachable
}

define internal ptr @page_of(ptr %p) #0 {
entry:
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = call ptr @make(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi ptr [ %call1, %cond.false ], [ %call, %entry ]
  ret ptr %cond
}

define internal void @set_mark(ptr %p, i32 %mark) #0 {
entry:
  %tobool.not = icmp eq i32 %mark, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %entry
  %call = call ptr @page_of(ptr %p)
  br label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = call ptr @known(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %call, %cond.true ], [ %call1, %cond.false ]
  %tobool2.not = icmp eq ptr %cond, null
  br i1 %tobool2.not, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end
  %conv = trunc i32 %mark to i8
  %mark3 = getelementptr inbounds nuw i8, ptr %cond, i64 24
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark3, i64 %rem
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !24
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret void
}

define void @em.kinds.stain(ptr %p, i64 %n, i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  br i1 %arrived, label %for.cond, label %if.end

for.cond:                                         ; preds = %entry, %for.body
  %k.0 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %if.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i32 @place_of(ptr %file, i32 %at)
  call void @set_stain(ptr %add.ptr, i32 %call)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !51

if.end:                                           ; preds = %for.cond, %entry
  ret void
}

define internal void @set_stain(ptr %p, i32 %place) #0 {
entry:
  %tobool.not = icmp eq i32 %place, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %entry
  %call = call ptr @more_of(ptr %p)
  br label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = call ptr @known_more(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %call, %cond.true ], [ %call1, %cond.false ]
  %tobool2.not = icmp eq ptr %cond, null
  br i1 %tobool2.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %cond.end
  %tobool3.not = icmp ne i32 %place, 0
  %lnot.ext = zext i1 %tobool3.not to i64
  %stain = getelementptr inbounds nuw i8, ptr %cond, i64 8192
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %stain, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %tobool5.not = icmp ne i8 %1, 0
  %lnot.ext9.neg = sext i1 %tobool5.not to i64
  %sub = add nsw i64 %lnot.ext9.neg, %lnot.ext
  %2 = load i64, ptr @stained, align 8, !tbaa !16
  %add = add i64 %2, %sub
  store i64 %add, ptr @stained, align 8, !tbaa !16
  %conv10 = trunc i32 %place to i8
  store i8 %conv10, ptr %arrayidx, align 1, !tbaa !24
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %cond.end
  ret void
}

define internal i32 @place_of(ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %0 = load i32, ptr @known_stains, align 4, !tbaa !21
  %cmp.not = icmp sgt i32 %k.0, %0
  br i1 %cmp.not, label %cleanup, label %for.body

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.anon, ptr @stains, i64 %idxprom
  %at1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %at1, align 8, !tbaa !17
  %cmp2 = icmp eq i32 %1, %at
  br i1 %cmp2, label %land.lhs.true, label %for.inc

land.lhs.true:                                    ; preds = %for.body
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !22
  %cmp6 = icmp eq ptr %2, %file
  br i1 %cmp6, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !52

cleanup:                                          ; preds = %land.lhs.true, %for.cond
  %cleanup.dest.slot.0 = phi i32 [ 2, %for.cond ], [ 1, %land.lhs.true ]
  switch i32 %cleanup.dest.slot.0, label %unreachable [
    i32 2, label %for.end
    i32 1, label %return
  ]

for.end:                                          ; preds = %cleanup
  %cmp7 = icmp slt i32 %0, 255
  br i1 %cmp7, label %if.then8, label %if.end10

if.then8:                                         ; preds = %for.end
  %inc9 = add nsw i32 %0, 1
  store i32 %inc9, ptr @known_stains, align 4, !tbaa !21
  br label %if.end10

if.end10:                                         ; preds = %if.then8, %for.end
  %3 = load i32, ptr @known_stains, align 4, !tbaa !21
  %idxprom11 = sext i32 %3 to i64
  %arrayidx12 = getelementptr inbounds %struct.anon, ptr @stains, i64 %idxprom11
  store ptr %file, ptr %arrayidx12, align 8, !tbaa !22
  %at16 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 8
  store i32 %at, ptr %at16, align 8, !tbaa !17
  br label %return

return:                                           ; preds = %if.end10, %cleanup
  %retval.1 = phi i32 [ %3, %if.end10 ], [ %k.0, %cleanup ]
  ret i32 %retval.1

unreachable:                                      ; preds = %cleanup
  unreachable
}

define void @em.kinds.pass_stain(ptr %result, i64 %n, ptr %p, i64 %count, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @stain_in(ptr %result, i64 %n)
  %tobool.not = icmp ne i32 %call, 0
  %lnot.ext = zext i1 %tobool.not to i32
  br label %for.cond

for.cond:                                         ; preds = %land.end, %entry
  %arrived.0 = phi i32 [ %lnot.ext, %entry ], [ %or, %land.end ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %land.end ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw i8, ptr %result, i64 %k.0
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %tobool2.not = icmp eq i8 %0, 0
  br i1 %tobool2.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %for.body
  %call3 = call i8 @mark_of(ptr nonnull %arrayidx)
  %1 = and i8 %call3, -16
  %cmp5 = icmp ne i8 %1, 64
  %2 = zext i1 %cmp5 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %for.body
  %land.ext = phi i32 [ 0, %for.body ], [ %2, %land.rhs ]
  %or = or i32 %arrived.0, %land.ext
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !53

for.end:                                          ; preds = %for.cond
  %tobool7.not = icmp eq i32 %arrived.0, 0
  br i1 %tobool7.not, label %if.end, label %for.cond9

for.cond9:                                        ; preds = %for.end, %cond.end
  %k8.0 = phi i64 [ %inc18, %cond.end ], [ 0, %for.end ]
  %cmp10 = icmp ult i64 %k8.0, %count
  br i1 %cmp10, label %for.body13, label %if.end

for.body13:                                       ; preds = %for.cond9
  %add.ptr14 = getelementptr inbounds nuw i8, ptr %p, i64 %k8.0
  %tobool15.not = icmp eq i32 %call, 0
  br i1 %tobool15.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %for.body13
  %call16 = call i32 @place_of(ptr %file, i32 %at)
  br label %cond.end

cond.end:                                         ; preds = %for.body13, %cond.false
  %cond = phi i32 [ %call16, %cond.false ], [ %call, %for.body13 ]
  call void @set_stain(ptr %add.ptr14, i32 %cond)
  %inc18 = add i64 %k8.0, 1
  br label %for.cond9, !llvm.loop !54

if.end:                                           ; preds = %for.cond9, %for.end
  ret void
}

define internal i32 @stain_in(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %found.0 = phi i32 [ 0, %entry ], [ %call, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @stained, align 8, !tbaa !16
  %tobool = icmp ne i64 %0, 0
  %tobool1 = icmp eq i32 %found.0, 0
  %or.cond.not5 = select i1 %tobool, i1 %tobool1, i1 false
  %cmp = icmp ult i64 %k.0, %n
  %or.cond4 = select i1 %or.cond.not5, i1 %cmp, i1 false
  br i1 %or.cond4, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i32 @stain_of(ptr %add.ptr)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !55

for.end:                                          ; preds = %for.cond
  ret i32 %found.0
}

define void @em.kinds.wash(ptr %p, i64 %n) #0 {
entry:
  call void @wash_all(ptr %p, i64 %n)
  ret void
}

define internal void @wash_all(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @stained, align 8, !tbaa !16
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp ult i64 %k.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  call void @set_stain(ptr %add.ptr, i32 0)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !56

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.wash_block(ptr %shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %shadow, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %shadow, i64 -56
  %0 = load i64, ptr %add.ptr, align 8, !tbaa !16
  call void @wash_all(ptr nonnull %shadow, i64 %0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.none_stained() #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %page.0.in = phi ptr [ @pages, %entry ], [ %next, %for.body ]
  %page.0 = load ptr, ptr %page.0.in, align 8, !tbaa !0
  %0 = load i64, ptr @stained, align 8, !tbaa !16
  %tobool = icmp ne i64 %0, 0
  %tobool1 = icmp ne ptr %page.0, null
  %spec.select = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %1 = load i64, ptr %page.0, align 8, !tbaa !26
  %mul = shl i64 %1, 12
  %2 = inttoptr i64 %mul to ptr
  call void @not_stained(ptr %2, i64 4096)
  %next = getelementptr inbounds nuw i8, ptr %page.0, i64 8
  br label %for.cond, !llvm.loop !57

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @not_stained(ptr %p, i64 %n) #0 {
entry:
  %call = call i32 @stain_in(ptr %p, i64 %n)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %call to i64
  %arrayidx = getelementptr inbounds %struct.anon, ptr @stains, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !22
  %at = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %at, align 8, !tbaa !17
  call void @fail(ptr nonnull @.str.2, ptr %0, i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.are_numbers(i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  br i1 %arrived, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.2, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.suspect(i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  %0 = load ptr, ptr @suspected, align 8
  %tobool = icmp eq ptr %0, null
  %or.cond.not = select i1 %arrived, i1 %tobool, i1 false
  br i1 %or.cond.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store ptr %file, ptr @suspected, align 8, !tbaa !22
  store i32 %at, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !17
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.no_suspect(double %tangent) #0 {
entry:
  %cmp = fcmp uno double %tangent, 0.000000e+00
  %0 = load ptr, ptr @suspected, align 8
  %tobool = icmp ne ptr %0, null
  %or.cond = select i1 %cmp, i1 %tobool, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %1 = load i32, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !17
  call void @fail(ptr nonnull @.str.2, ptr nonnull %0, i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define internal void @grow() #0 {
entry:
  %0 = load ptr, ptr @slots, align 8, !tbaa !12
  %1 = load i64, ptr @room, align 8, !tbaa !16
  %tobool.not = icmp eq i64 %1, 0
  %mul = shl i64 %1, 1
  %cond = select i1 %tobool.not, i64 64, i64 %mul
  store i64 %cond, ptr @room, align 8, !tbaa !16
  %mul1 = shl i64 %cond, 3
  %call = call ptr @blank_memory(i64 %mul1)
  store ptr %call, ptr @slots, align 8, !tbaa !12
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw ptr, ptr %0, i64 %k.0
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !0
  %tobool2.not = icmp eq ptr %2, null
  br i1 %tobool2.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %3 = load ptr, ptr @slots, align 8, !tbaa !12
  %4 = load i64, ptr %2, align 8, !tbaa !26
  %call5 = call i64 @place(i64 %4)
  %arrayidx6 = getelementptr inbounds nuw ptr, ptr %3, i64 %call5
  store ptr %2, ptr %arrayidx6, align 8, !tbaa !0
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !58

for.end:                                          ; preds = %for.cond
  call void @free(ptr %0) #9
  ret void
}

define internal ptr @blank_memory(i64 %n) #0 {
entry:
  %call = call ptr @calloc(i64 1, i64 %n) #12
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.3, ptr nonnull @.str.4, i32 0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret ptr %call
}

define internal i64 @place(i64 %key) #0 {
entry:
  %mul = mul i64 %key, -7046029254386353131
  %shr = lshr i64 %mul, 20
  %0 = load i64, ptr @room, align 8, !tbaa !16
  %sub = add i64 %0, -1
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %shr.pn = phi i64 [ %shr, %entry ], [ %add, %while.body ]
  %at.0 = and i64 %shr.pn, %sub
  %1 = load ptr, ptr @slots, align 8, !tbaa !12
  %arrayidx = getelementptr inbounds nuw ptr, ptr %1, i64 %at.0
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %2, null
  br i1 %tobool.not, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %while.cond
  %3 = load i64, ptr %2, align 8, !tbaa !26
  %cmp.not = icmp eq i64 %3, %key
  br i1 %cmp.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %add = add i64 %at.0, 1
  br label %while.cond, !llvm.loop !59

while.end:                                        ; preds = %while.cond, %land.rhs
  ret i64 %at.0
}

declare ptr @calloc(i64, i64) #5

define internal void @add(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %nothing.0 = phi i32 [ 1, %entry ], [ %and, %for.body ]
  %cmp = icmp slt i32 %k.0, %call
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %part, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %tobool.not = icmp eq i8 %0, 0
  %1 = and i32 %nothing.0, 1
  %and = select i1 %tobool.not, i32 %1, i32 0
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !60

for.end:                                          ; preds = %for.cond
  %tobool1.not = icmp eq i32 %nothing.0, 0
  br i1 %tobool1.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %for.end
  %call2 = call i32 @state(ptr %p, i32 %kind, i32 %call)
  switch i32 %call2, label %if.end29 [
    i32 4, label %if.then4
    i32 2, label %if.then8
    i32 1, label %if.then8
    i32 3, label %for.cond12
  ]

if.then4:                                         ; preds = %if.end
  call void @fail(ptr nonnull @.str.5, ptr %file, i32 %at)
  br label %if.end29

if.then8:                                         ; preds = %if.end, %if.end
  call void @sum(ptr %p, i32 %kind, ptr %part)
  br label %if.end30

for.cond12:                                       ; preds = %if.end, %for.inc26
  %k11.0 = phi i32 [ %inc27, %for.inc26 ], [ 0, %if.end ]
  %cmp13 = icmp slt i32 %k11.0, %call
  br i1 %cmp13, label %for.body15, label %if.end29

for.body15:                                       ; preds = %for.cond12
  %idx.ext = zext nneg i32 %k11.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call16 = call i8 @mark_of(ptr %add.ptr)
  %conv = zext i8 %call16 to i32
  %add = add nsw i32 %kind, %k11.0
  %cmp17 = icmp eq i32 %add, %conv
  br i1 %cmp17, label %if.then19, label %for.inc26

if.then19:                                        ; preds = %for.body15
  %2 = load i8, ptr %add.ptr, align 1, !tbaa !24
  call void @wait_for(ptr nonnull %add.ptr, i32 %add, i8 %2, ptr %file, i32 %at)
  br label %for.inc26

for.inc26:                                        ; preds = %for.body15, %if.then19
  %inc27 = add nuw nsw i32 %k11.0, 1
  br label %for.cond12, !llvm.loop !61

if.end29:                                         ; preds = %if.then4, %for.cond12, %if.end
  call void @put(ptr %p, ptr %part, i32 %call)
  br label %if.end30

if.end30:                                         ; preds = %if.end29, %if.then8
  call void @mark_all(ptr %p, i32 %kind, i32 %call)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end30, %for.end
  ret void
}

define internal i32 @state(ptr %p, i32 %kind, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %none.0 = phi i32 [ 0, %entry ], [ %add, %for.inc ]
  %own.0 = phi i32 [ 0, %entry ], [ %add4, %for.inc ]
  %other.0 = phi i32 [ 0, %entry ], [ %add11, %for.inc ]
  %bits.0 = phi i32 [ 0, %entry ], [ %bits.1, %for.inc ]
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call i8 @mark_of(ptr %add.ptr)
  %conv = zext i8 %call to i32
  %tobool.not = icmp eq i8 %call, 0
  %lnot.ext = zext i1 %tobool.not to i32
  %add = add nuw nsw i32 %none.0, %lnot.ext
  %add1 = add nsw i32 %kind, %k.0
  %cmp2 = icmp eq i32 %add1, %conv
  %conv3 = zext i1 %cmp2 to i32
  %add4 = add nuw nsw i32 %own.0, %conv3
  %tobool5 = icmp ne i8 %call, 0
  %cmp7 = icmp ne i32 %add1, %conv
  %or.cond = select i1 %tobool5, i1 %cmp7, i1 false
  %and = and i32 %conv, 240
  %cmp9 = icmp ne i32 %and, 64
  %narrow = and i1 %or.cond, %cmp9
  %land.ext = zext i1 %narrow to i32
  %add11 = add nuw nsw i32 %other.0, %land.ext
  %and12 = and i32 %conv, 240
  %cmp13.not = icmp eq i32 %and12, 64
  br i1 %cmp13.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %0 = load i8, ptr %add.ptr, align 1, !tbaa !24
  %conv15 = zext i8 %0 to i32
  %or = or i32 %bits.0, %conv15
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %bits.1 = phi i32 [ %or, %if.then ], [ %bits.0, %for.body ]
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !62

for.end:                                          ; preds = %for.cond
  %cmp16 = icmp eq i32 %own.0, %n
  br i1 %cmp16, label %cleanup, label %if.end19

if.end19:                                         ; preds = %for.end
  %cmp20 = icmp eq i32 %none.0, %n
  br i1 %cmp20, label %cleanup, label %if.end23

if.end23:                                         ; preds = %if.end19
  %tobool24 = icmp ne i32 %own.0, 0
  %tobool26 = icmp ne i32 %bits.0, 0
  %or.cond21 = select i1 %tobool24, i1 true, i1 %tobool26
  br i1 %or.cond21, label %if.end28, label %cleanup

if.end28:                                         ; preds = %if.end23
  %tobool31.not = icmp eq i32 %other.0, 0
  %1 = select i1 %tobool24, i1 %tobool31.not, i1 false
  %cond = select i1 %1, i32 3, i32 4
  br label %cleanup

cleanup:                                          ; preds = %if.end23, %if.end19, %for.end, %if.end28
  %retval.0 = phi i32 [ 1, %if.end19 ], [ 2, %for.end ], [ %cond, %if.end28 ], [ 0, %if.end23 ]
  ret i32 %retval.0
}

define internal void @sum(ptr %p, i32 %kind, ptr %part) #0 {
entry:
  switch i32 %kind, label %if.else6 [
    i32 16, label %if.then
    i32 32, label %if.then2
  ]

if.then:                                          ; preds = %entry
  %a.0.copyload = load double, ptr %p, align 1
  %b.0.copyload = load double, ptr %part, align 1
  %add = fadd double %a.0.copyload, %b.0.copyload
  store double %add, ptr %p, align 1
  br label %if.end10

if.then2:                                         ; preds = %entry
  %a3.0.copyload = load float, ptr %p, align 1
  %b4.0.copyload = load float, ptr %part, align 1
  %add5 = fadd float %a3.0.copyload, %b4.0.copyload
  store float %add5, ptr %p, align 1
  br label %if.end10

if.else6:                                         ; preds = %entry
  %a7.0.copyload = load i80, ptr %p, align 1
  %a7.0.insert.ext = zext i80 %a7.0.copyload to i128
  %0 = bitcast i128 %a7.0.insert.ext to fp128
  %b8.0.copyload = load i80, ptr %part, align 1
  %b8.0.insert.ext = zext i80 %b8.0.copyload to i128
  %1 = bitcast i128 %b8.0.insert.ext to fp128
  %add9 = fadd fp128 %0, %1
  %2 = bitcast fp128 %add9 to i128
  %a7.0.extract.trunc = trunc i128 %2 to i80
  store i80 %a7.0.extract.trunc, ptr %p, align 1
  br label %if.end10

if.end10:                                         ; preds = %if.then2, %if.else6, %if.then
  ret void
}

define internal void @wait_for(ptr %p, i32 %mark, i8 %bits, ptr %file, i32 %at) #0 {
entry:
  %whole = alloca [16 x i8], align 1
  %call = call ptr @more_of(ptr %p)
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %call, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.6, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %conv = trunc i32 %mark to i8
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !24
  %bits4 = getelementptr inbounds nuw i8, ptr %call, i64 4096
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %bits4, i64 %rem
  store i8 %bits, ptr %arrayidx6, align 1, !tbaa !24
  %2 = load i64, ptr @waiting, align 8, !tbaa !16
  %inc = add i64 %2, 1
  store i64 %inc, ptr @waiting, align 8, !tbaa !16
  %and = and i32 %mark, 240
  %call7 = call i32 @width(i32 %and)
  %and8 = and i32 %mark, 15
  %idx.ext = zext nneg i32 %and8 to i64
  %idx.neg = sub nsw i64 0, %idx.ext
  %add.ptr = getelementptr inbounds i8, ptr %p, i64 %idx.neg
  call void @llvm.lifetime.start.p0(ptr nonnull %whole) #9
  br label %for.cond

for.cond:                                         ; preds = %if.end23, %if.end
  %k.0 = phi i32 [ 0, %if.end ], [ %inc30, %if.end23 ]
  %cmp.not = icmp slt i32 %k.0, %call7
  br i1 %cmp.not, label %for.body, label %for.cond34

for.body:                                         ; preds = %for.cond
  %idx.ext10 = zext nneg i32 %k.0 to i64
  %add.ptr11 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %idx.ext10
  %call12 = call ptr @known_more(ptr %add.ptr11)
  %tobool13.not = icmp eq ptr %call12, null
  br i1 %tobool13.not, label %cleanup52, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %3 = ptrtoint ptr %add.ptr11 to i64
  %rem17 = and i64 %3, 4095
  %arrayidx18 = getelementptr inbounds nuw i8, ptr %call12, i64 %rem17
  %4 = load i8, ptr %arrayidx18, align 1, !tbaa !24
  %conv19 = zext i8 %4 to i32
  %add = add nuw nsw i32 %and, %k.0
  %cmp20.not = icmp eq i32 %add, %conv19
  br i1 %cmp20.not, label %if.end23, label %cleanup52

if.end23:                                         ; preds = %lor.lhs.false
  %bits24 = getelementptr inbounds nuw i8, ptr %call12, i64 4096
  %arrayidx28 = getelementptr inbounds nuw i8, ptr %bits24, i64 %rem17
  %5 = load i8, ptr %arrayidx28, align 1, !tbaa !24
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %whole, i64 %idx.ext10
  store i8 %5, ptr %arrayidx29, align 1, !tbaa !24
  %inc30 = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !63

for.cond34:                                       ; preds = %for.cond, %for.body38
  %k33.0 = phi i32 [ %inc48, %for.body38 ], [ 0, %for.cond ]
  %cmp35 = icmp slt i32 %k33.0, %call7
  br i1 %cmp35, label %for.body38, label %for.end50

for.body38:                                       ; preds = %for.cond34
  %idx.ext39 = zext nneg i32 %k33.0 to i64
  %add.ptr40 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %idx.ext39
  %call41 = call ptr @known_more(ptr %add.ptr40)
  %6 = ptrtoint ptr %add.ptr40 to i64
  %rem45 = and i64 %6, 4095
  %arrayidx46 = getelementptr inbounds nuw i8, ptr %call41, i64 %rem45
  store i8 0, ptr %arrayidx46, align 1, !tbaa !24
  %inc48 = add nuw nsw i32 %k33.0, 1
  br label %for.cond34, !llvm.loop !64

for.end50:                                        ; preds = %for.cond34
  %conv51 = sext i32 %call7 to i64
  %7 = load i64, ptr @waiting, align 8, !tbaa !16
  %sub = sub i64 %7, %conv51
  store i64 %sub, ptr @waiting, align 8, !tbaa !16
  call void @add(ptr %add.ptr, i32 %and, ptr nonnull %whole, ptr %file, i32 %at)
  br label %cleanup52

cleanup52:                                        ; preds = %for.body, %lor.lhs.false, %for.end50
  call void @llvm.lifetime.end.p0(ptr nonnull %whole) #9
  ret void
}

define internal void @put(ptr %p, ptr %bits, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %cond.end, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %cond.end ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %tobool.not = icmp eq ptr %bits, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %for.body
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %bits, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !24
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i8 [ %0, %cond.true ], [ 0, %for.body ]
  %idxprom2 = zext nneg i32 %k.0 to i64
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %p, i64 %idxprom2
  store i8 %cond, ptr %arrayidx3, align 1, !tbaa !24
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !65

for.end:                                          ; preds = %for.cond
  ret void
}

define internal ptr @more_of(ptr %p) #0 {
entry:
  %call = call ptr @page_of(ptr %p)
  %more = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %more, align 8, !tbaa !9
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call1 = call ptr @blank_memory(i64 12288)
  store ptr %call1, ptr %more, align 8, !tbaa !9
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %1 = load ptr, ptr %more, align 8, !tbaa !9
  ret ptr %1
}

define internal ptr @known_more(ptr %p) #0 {
entry:
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %more = getelementptr inbounds nuw i8, ptr %call, i64 16
  %0 = load ptr, ptr %more, align 8, !tbaa !9
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi ptr [ %0, %cond.true ], [ null, %entry ]
  ret ptr %cond
}

define internal void @take(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  %call1 = call i32 @state(ptr %p, i32 %kind, i32 %call)
  call void @none_waits(ptr %p, i32 %call, ptr %file, i32 %at)
  %conv = sext i32 %call to i64
  call void @not_stained(ptr %p, i64 %conv)
  switch i32 %call1, label %cond.false [
    i32 3, label %if.then
    i32 4, label %if.then
    i32 0, label %cond.end
  ]

if.then:                                          ; preds = %entry, %entry
  %cmp5 = icmp eq i32 %call1, 3
  %cond = select i1 %cmp5, ptr @.str.6, ptr @.str.5
  call void @fail(ptr nonnull %cond, ptr %file, i32 %at)
  %cmp7 = icmp eq i32 %call1, 0
  br i1 %cmp7, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry, %if.then
  br label %cond.end

cond.end:                                         ; preds = %if.then, %entry, %cond.false
  %cond9 = phi ptr [ %p, %cond.false ], [ null, %entry ], [ null, %if.then ]
  call void @put(ptr %part, ptr %cond9, i32 %call)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %cond.end
  %k.0 = phi i32 [ 0, %cond.end ], [ %inc, %for.inc ]
  %cmp10 = icmp slt i32 %k.0, %call
  br i1 %cmp10, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call12 = call i8 @mark_of(ptr %add.ptr)
  %0 = and i8 %call12, -16
  %cmp14.not = icmp eq i8 %0, 64
  br i1 %cmp14.not, label %for.inc, label %if.then16

if.then16:                                        ; preds = %for.body
  store i8 0, ptr %add.ptr, align 1, !tbaa !24
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then16
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !66

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @none_waits(ptr %p, i32 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @waiting, align 8, !tbaa !16
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp slt i32 %k.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call ptr @known_more(ptr %add.ptr)
  %tobool1.not = icmp eq ptr %call, null
  br i1 %tobool1.not, label %for.inc, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %1 = ptrtoint ptr %add.ptr to i64
  %rem = and i64 %1, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %call, i64 %rem
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %tobool4.not = icmp eq i8 %2, 0
  br i1 %tobool4.not, label %for.inc, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.6, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true, %if.then
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !67

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @move_stains(ptr %target, ptr %origin, i64 %n) #0 {
entry:
  %cmp = icmp ult ptr %target, %origin
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %j.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @stained, align 8, !tbaa !16
  %tobool = icmp ne i64 %0, 0
  %cmp1 = icmp ult i64 %j.0, %n
  %spec.select = select i1 %tobool, i1 %cmp1, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %1 = xor i64 %j.0, -1
  %sub4 = add i64 %n, %1
  %cond = select i1 %cmp, i64 %sub4, i64 %j.0
  %add.ptr = getelementptr inbounds nuw i8, ptr %target, i64 %cond
  %call = call i32 @stain_of(ptr %add.ptr)
  %tobool5.not = icmp eq i32 %call, 0
  br i1 %tobool5.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  call void @set_stain(ptr %add.ptr, i32 0)
  %add.ptr7 = getelementptr inbounds nuw i8, ptr %origin, i64 %cond
  call void @set_stain(ptr %add.ptr7, i32 %call)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %j.0, 1
  br label %for.cond, !llvm.loop !68

for.end:                                          ; preds = %for.cond
  ret void
}

declare ptr @malloc(i64) #6

define internal void @take_out(ptr %p, ptr %bits, ptr %marks, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %conv = trunc i64 %n to i32
  call void @none_waits(ptr %p, i32 %conv, ptr %file, i32 %at)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i8 @mark_of(ptr %add.ptr)
  %tobool.not = icmp eq i8 %call, 0
  br i1 %tobool.not, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %for.body
  %0 = load i8, ptr %add.ptr, align 1, !tbaa !24
  %tobool4.not = icmp eq i8 %0, 0
  br i1 %tobool4.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.7, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %for.body
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %marks, i64 %k.0
  store i8 %call, ptr %arrayidx6, align 1, !tbaa !24
  %1 = load i8, ptr %add.ptr, align 1, !tbaa !24
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  store i8 %1, ptr %arrayidx8, align 1, !tbaa !24
  %tobool9 = icmp ne i8 %call, 0
  %2 = and i8 %call, -16
  %cmp11 = icmp ne i8 %2, 64
  %or.cond = and i1 %tobool9, %cmp11
  br i1 %or.cond, label %if.then13, label %for.inc

if.then13:                                        ; preds = %if.end
  store i8 0, ptr %add.ptr, align 1, !tbaa !24
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %if.end, %if.then13
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !69

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @give(ptr %to, ptr %bits, ptr %marks, i64 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %if.end40, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %k.1, %if.end40 ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end41

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr i8, ptr %marks, i64 %k.0
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %1 = and i8 %0, -16
  %and = zext i8 %1 to i32
  %call = call i32 @width(i32 %and)
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %land.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %3 = and i8 %2, 15
  %cmp4 = icmp eq i8 %3, 0
  br i1 %cmp4, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %land.lhs.true
  %conv6 = sext i32 %call to i64
  %add = add i64 %k.0, %conv6
  %cmp7 = icmp ule i64 %add, %n
  br label %land.end

land.end:                                         ; preds = %land.rhs, %land.lhs.true, %for.body
  %land.ext = phi i1 [ false, %land.lhs.true ], [ false, %for.body ], [ %cmp7, %land.rhs ]
  br label %for.cond9

for.cond9:                                        ; preds = %for.body17, %land.end
  %whole.0 = phi i1 [ %land.ext, %land.end ], [ %cmp23, %for.body17 ]
  %part.0 = phi i32 [ 0, %land.end ], [ %inc, %for.body17 ]
  %cmp12 = icmp slt i32 %part.0, %call
  %spec.select = select i1 %whole.0, i1 %cmp12, i1 false
  br i1 %spec.select, label %for.body17, label %for.end

for.body17:                                       ; preds = %for.cond9
  %conv18 = zext nneg i32 %part.0 to i64
  %arrayidx20 = getelementptr i8, ptr %arrayidx, i64 %conv18
  %4 = load i8, ptr %arrayidx20, align 1, !tbaa !24
  %conv21 = zext i8 %4 to i32
  %add22 = add nuw nsw i32 %part.0, %and
  %cmp23 = icmp eq i32 %add22, %conv21
  %inc = add nuw nsw i32 %part.0, 1
  br label %for.cond9, !llvm.loop !70

for.end:                                          ; preds = %for.cond9
  switch i8 %1, label %if.else [
    i8 64, label %if.then
    i8 0, label %if.then
  ]

if.then:                                          ; preds = %for.end, %for.end
  %inc28 = add i64 %k.0, 1
  br label %if.end40

if.else:                                          ; preds = %for.end
  br i1 %whole.0, label %if.then30, label %if.else34

if.then30:                                        ; preds = %if.else
  %add.ptr = getelementptr inbounds nuw i8, ptr %to, i64 %k.0
  %add.ptr31 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  call void @add(ptr %add.ptr, i32 %and, ptr %add.ptr31, ptr %file, i32 %at)
  %conv32 = sext i32 %call to i64
  %add33 = add i64 %k.0, %conv32
  br label %if.end40

if.else34:                                        ; preds = %if.else
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %to, i64 %k.0
  %5 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %conv37 = zext i8 %5 to i32
  %arrayidx38 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  %6 = load i8, ptr %arrayidx38, align 1, !tbaa !24
  call void @arrive(ptr %add.ptr35, i32 %conv37, i8 %6, ptr %file, i32 %at)
  %inc39 = add i64 %k.0, 1
  br label %if.end40

if.end40:                                         ; preds = %if.then30, %if.else34, %if.then
  %k.1 = phi i64 [ %inc28, %if.then ], [ %add33, %if.then30 ], [ %inc39, %if.else34 ]
  br label %for.cond, !llvm.loop !71

for.end41:                                        ; preds = %for.cond
  ret void
}

define internal i32 @unit(ptr %p, i64 %n) #0 {
entry:
  %call = call i8 @mark_of(ptr %p)
  %0 = and i8 %call, -16
  %and = zext i8 %0 to i32
  %call1 = call i32 @width(i32 %and)
  %tobool = icmp eq i8 %0, 0
  %conv2 = sext i32 %call1 to i64
  %cmp = icmp ult i64 %n, %conv2
  %or.cond = select i1 %tobool, i1 true, i1 %cmp
  br i1 %or.cond, label %cleanup12, label %for.cond

for.cond:                                         ; preds = %entry, %for.inc
  %k.0 = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %cmp4.not = icmp slt i32 %k.0, %call1
  br i1 %cmp4.not, label %for.body, label %cleanup12

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call6 = call i8 @mark_of(ptr %add.ptr)
  %conv7 = zext i8 %call6 to i32
  %add = add nuw nsw i32 %k.0, %and
  %cmp8.not = icmp eq i32 %add, %conv7
  br i1 %cmp8.not, label %for.inc, label %cleanup12

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !72

cleanup12:                                        ; preds = %for.cond, %for.body, %entry
  %retval.0 = phi i32 [ 1, %entry ], [ %call1, %for.cond ], [ 1, %for.body ]
  ret i32 %retval.0
}

define internal i32 @stain_of(ptr %p) #0 {
entry:
  %call = call ptr @known_more(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %stain = getelementptr inbounds nuw i8, ptr %call, i64 8192
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %arrayidx = getelementptr inbounds nuw i8, ptr %stain, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !24
  %conv = zext i8 %1 to i32
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %conv, %cond.true ], [ 0, %entry ]
  ret i32 %cond
}

define internal void @arrive(ptr %p, i32 %mark, i8 %bits, ptr %file, i32 %at) #0 {
entry:
  %call = call i8 @mark_of(ptr %p)
  %tobool = icmp ne i8 %call, 0
  %0 = and i8 %call, -16
  %cmp = icmp ne i8 %0, 64
  %or.cond = and i1 %tobool, %cmp
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @wait_for(ptr %p, i32 %mark, i8 %bits, ptr %file, i32 %at)
  br label %cleanup.cont

if.end:                                           ; preds = %entry
  %tobool2.not = icmp eq i8 %call, 0
  br i1 %tobool2.not, label %land.lhs.true3, label %if.end7

land.lhs.true3:                                   ; preds = %if.end
  %1 = load i8, ptr %p, align 1, !tbaa !24
  %tobool5.not = icmp eq i8 %1, 0
  br i1 %tobool5.not, label %if.end7, label %if.then6

if.then6:                                         ; preds = %land.lhs.true3
  call void @fail(ptr nonnull @.str.7, ptr %file, i32 %at)
  br label %if.end7

if.end7:                                          ; preds = %if.then6, %land.lhs.true3, %if.end
  store i8 %bits, ptr %p, align 1, !tbaa !24
  call void @set_mark(ptr nonnull %p, i32 %mark)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.then, %if.end7
  ret void
}

declare void @em.run.bytes(ptr, ptr, i32) #7

define internal void @copy_byte(ptr %to, i32 %mark, i8 %bits, ptr %file, i32 %at) #0 {
entry:
  %tobool = icmp eq i32 %mark, 0
  %tobool1 = icmp ne i8 %bits, 0
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.7, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %call = call i8 @mark_of(ptr %to)
  %conv2 = zext i8 %call to i32
  %and = and i32 %mark, 240
  %cmp = icmp eq i32 %and, 64
  br i1 %cmp, label %if.then4, label %if.else

if.then4:                                         ; preds = %if.end
  %tobool5.not = icmp eq i8 %call, 0
  br i1 %tobool5.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.then4
  %and6 = and i32 %conv2, 240
  %cmp7.not = icmp eq i32 %and6, 64
  br i1 %cmp7.not, label %if.end15, label %land.lhs.true9

land.lhs.true9:                                   ; preds = %cond.true
  %0 = load i8, ptr %to, align 1, !tbaa !24
  %tobool11.not = icmp eq i8 %0, 0
  br i1 %tobool11.not, label %if.end15, label %if.then14

cond.false:                                       ; preds = %if.then4
  %1 = load i8, ptr %to, align 1, !tbaa !24
  %tobool13.not = icmp eq i8 %1, 0
  br i1 %tobool13.not, label %if.end15, label %if.then14

if.then14:                                        ; preds = %cond.false, %land.lhs.true9
  call void @fail(ptr nonnull @.str, ptr %file, i32 %at)
  br label %if.end15

if.end15:                                         ; preds = %if.then14, %cond.false, %land.lhs.true9, %cond.true
  store i8 %bits, ptr %to, align 1, !tbaa !24
  call void @set_mark(ptr nonnull %to, i32 %mark)
  br label %if.end21

if.else:                                          ; preds = %if.end
  %and16 = and i32 %conv2, 240
  %cmp17 = icmp eq i32 %and16, 64
  br i1 %cmp17, label %if.then19, label %if.end21

if.then19:                                        ; preds = %if.else
  store i8 0, ptr %to, align 1, !tbaa !24
  call void @set_mark(ptr nonnull %to, i32 0)
  br label %if.end21

if.end21:                                         ; preds = %if.else, %if.then19, %if.end15
  ret void
}

declare i1 @llvm.is.fpclass.f64(double, i32 immarg) #8

declare i1 @llvm.is.fpclass.f32(float, i32 immarg) #8

declare i64 @llvm.umin.i64(i64, i64) #8

attributes #0 = { minsize noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind allocsize(0,1) "no-trapping-math"="true" }
attributes #6 = { nounwind allocsize(0) "no-trapping-math"="true" }
attributes #7 = { cold noreturn "no-trapping-math"="true" }
attributes #8 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #9 = { nounwind }
attributes #10 = { nounwind allocsize(0) }
attributes #11 = { cold noreturn nounwind }
attributes #12 = { nounwind allocsize(0,1) }

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS4page", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !1, i64 8}
!6 = !{!"page", !7, i64 0, !1, i64 8, !8, i64 16, !3, i64 24}
!7 = !{!"long", !3, i64 0}
!8 = !{!"p1 _ZTS4more", !2, i64 0}
!9 = !{!6, !8, i64 16}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!13, !13, i64 0}
!13 = !{!"p2 _ZTS4page", !14, i64 0}
!14 = !{!"any p2 pointer", !2, i64 0}
!15 = distinct !{!15, !11}
!16 = !{!7, !7, i64 0}
!17 = !{!18, !20, i64 8}
!18 = !{!"", !19, i64 0, !20, i64 8}
!19 = !{!"p1 omnipotent char", !2, i64 0}
!20 = !{!"int", !3, i64 0}
!21 = !{!20, !20, i64 0}
!22 = !{!18, !19, i64 0}
!23 = distinct !{!23, !11}
!24 = !{!3, !3, i64 0}
!25 = distinct !{!25, !11}
!26 = !{!6, !7, i64 0}
!27 = !{!28, !7, i64 0}
!28 = !{!"", !7, i64 0, !3, i64 8}
!29 = distinct !{!29, !11}
!30 = distinct !{!30, !11}
!31 = distinct !{!31, !11}
!32 = distinct !{!32, !11}
!33 = distinct !{!33, !11}
!34 = distinct !{!34, !11}
!35 = distinct !{!35, !11}
!36 = distinct !{!36, !11}
!37 = distinct !{!37, !11}
!38 = distinct !{!38, !11}
!39 = distinct !{!39, !11}
!40 = distinct !{!40, !11}
!41 = distinct !{!41, !11}
!42 = distinct !{!42, !11}
!43 = distinct !{!43, !11}
!44 = distinct !{!44, !11}
!45 = distinct !{!45, !11}
!46 = distinct !{!46, !11}
!47 = distinct !{!47, !11}
!48 = distinct !{!48, !11}
!49 = distinct !{!49, !11}
!50 = distinct !{!50, !11}
!51 = distinct !{!51, !11}
!52 = distinct !{!52, !11}
!53 = distinct !{!53, !11}
!54 = distinct !{!54, !11}
!55 = distinct !{!55, !11}
!56 = distinct !{!56, !11}
!57 = distinct !{!57, !11}
!58 = distinct !{!58, !11}
!59 = distinct !{!59, !11}
!60 = distinct !{!60, !11}
!61 = distinct !{!61, !11}
!62 = distinct !{!62, !11}
!63 = distinct !{!63, !11}
!64 = distinct !{!64, !11}
!65 = distinct !{!65, !11}
!66 = distinct !{!66, !11}
!67 = distinct !{!67, !11}
!68 = distinct !{!68, !11}
!69 = distinct !{!69, !11}
!70 = distinct !{!70, !11}
!71 = distinct !{!71, !11}
!72 = distinct !{!72, !11}
