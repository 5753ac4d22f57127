%struct.near = type { i64, ptr }
%struct.anon = type { ptr, i32 }
%struct.anon.0 = type { i64, [4096 x i8] }

@pages = internal global ptr null, align 8
@slots = internal global ptr null, align 8
@near = internal global [256 x %struct.near] zeroinitializer, align 8
@pointers = internal global i64 0, align 8
@stained = internal global i64 0, align 8
@waiting = internal global i64 0, align 8
@used = internal global i64 0, align 8
@room = internal global i64 0, align 8
@known_stains = internal global i32 0, align 4
@suspected = internal global %struct.anon zeroinitializer, align 8
@.str = private unnamed_addr constant [55 x i8] c"memory in which a derivative lies is used for pointers\00", align 1
@.str.1 = private unnamed_addr constant [75 x i8] c"a number with a derivative is used as something else than it was stored as\00", align 1
@.str.2 = private unnamed_addr constant [79 x i8] c"a pointer to memory with derivatives is copied as an integer, or by characters\00", align 1
@.str.3 = private unnamed_addr constant [58 x i8] c"a number with a derivative is computed with as an integer\00", align 1
@.str.4 = private unnamed_addr constant [71 x i8] c"bytes of unknown kind are copied or set, and a derivative lies in them\00", align 1
@.str.5 = private unnamed_addr constant [41 x i8] c"no memory is left for the kinds of bytes\00", align 1
@.str.6 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@stains = internal global [256 x %struct.anon] zeroinitializer, align 8
@.str.7 = private unnamed_addr constant [52 x i8] c"only a part of a number with a derivative is copied\00", align 1

define void @em.kinds.forget_marks() #0 {
entry:
  %0 = load ptr, ptr @pages, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %return, label %while.cond

while.cond:                                       ; preds = %entry, %while.body
  %1 = load ptr, ptr @pages, align 8, !tbaa !0
  %tobool1.not = icmp eq ptr %1, null
  br i1 %tobool1.not, label %while.end, label %while.body

while.body:                                       ; preds = %while.cond
  %next2 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %2 = load ptr, ptr %next2, align 8, !tbaa !5
  %more = getelementptr inbounds nuw i8, ptr %1, i64 16
  %3 = load ptr, ptr %more, align 8, !tbaa !9
  call void @free(ptr %3) #11
  %4 = load ptr, ptr @pages, align 8, !tbaa !0
  call void @free(ptr %4) #11
  store ptr %2, ptr @pages, align 8, !tbaa !0
  br label %while.cond, !llvm.loop !10

while.end:                                        ; preds = %while.cond
  %5 = load ptr, ptr @slots, align 8, !tbaa !12
  call void @free(ptr %5) #11
  br label %for.cond

for.cond:                                         ; preds = %for.body, %while.end
  %k.0 = phi i32 [ 0, %while.end ], [ %inc, %for.body ]
  %cmp = icmp samesign ult i32 %k.0, 256
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.near, ptr @near, i64 %idxprom
  store i64 0, ptr %arrayidx, align 8, !tbaa !15
  %.compoundliteral.sroa.2.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store ptr null, ptr %.compoundliteral.sroa.2.0.arrayidx.sroa_idx, align 8, !tbaa !0
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !16

for.end:                                          ; preds = %for.cond
  store ptr null, ptr @slots, align 8, !tbaa !12
  store i64 0, ptr @pointers, align 8, !tbaa !15
  store i64 0, ptr @stained, align 8, !tbaa !15
  store i64 0, ptr @waiting, align 8, !tbaa !15
  store i64 0, ptr @used, align 8, !tbaa !15
  store i64 0, ptr @room, align 8, !tbaa !15
  store i32 0, ptr @known_stains, align 4, !tbaa !17
  br label %return

return:                                           ; preds = %entry, %for.end
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @free(ptr) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

define void @em.kinds.forget() #0 {
entry:
  call void @em.kinds.forget_marks()
  store ptr null, ptr @suspected, align 8, !tbaa !19
  ret void
}

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
  br label %for.cond, !llvm.loop !22

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
  %0 = load i64, ptr %arrayidx, align 1, !tbaa !23
  %or = or i64 %found.0, %0
  %add = add nuw nsw i32 %k.0, 8
  br label %for.cond, !llvm.loop !24

for.end:                                          ; preds = %for.cond
  %tobool.not = icmp ne i64 %found.0, 0
  %lnot.ext = zext i1 %tobool.not to i32
  ret i32 %lnot.ext
}

define void @em.kinds.hold(ptr %block) #0 {
entry:
  store i64 0, ptr %block, align 8, !tbaa !15
  %0 = load i64, ptr @pointers, align 8, !tbaa !15
  %pointers = getelementptr inbounds nuw i8, ptr %block, i64 8
  store i64 %0, ptr %pointers, align 8, !tbaa !15
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
  %1 = load i64, ptr %page.0, align 8, !tbaa !25
  %pages = getelementptr inbounds nuw i8, ptr %block, i64 16
  %2 = load i64, ptr %block, align 8, !tbaa !15
  %arrayidx = getelementptr inbounds nuw %struct.anon.0, ptr %pages, i64 %2
  store i64 %1, ptr %arrayidx, align 8, !tbaa !26
  %inc = add i64 %2, 1
  store i64 %inc, ptr %block, align 8, !tbaa !15
  %arrayidx6 = getelementptr inbounds nuw %struct.anon.0, ptr %block, i64 %2
  %mark = getelementptr inbounds nuw i8, ptr %arrayidx6, i64 24
  %mark7 = getelementptr inbounds nuw i8, ptr %page.0, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(4096) %mark, ptr noundef nonnull align 8 dereferenceable(4096) %mark7, i64 4096, i1 false)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.end
  %next = getelementptr inbounds nuw i8, ptr %page.0, i64 8
  br label %for.cond, !llvm.loop !28

for.end:                                          ; preds = %for.cond
  call void @em.kinds.forget()
  ret void
}

define void @em.kinds.resume(ptr %block) #0 {
entry:
  call void @em.kinds.forget()
  %pointers = getelementptr inbounds nuw i8, ptr %block, i64 8
  %0 = load i64, ptr %pointers, align 8, !tbaa !15
  store i64 %0, ptr @pointers, align 8, !tbaa !15
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %1 = load i64, ptr %block, align 8, !tbaa !15
  %cmp = icmp ult i64 %k.0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %pages = getelementptr inbounds nuw i8, ptr %block, i64 16
  %arrayidx = getelementptr inbounds nuw %struct.anon.0, ptr %pages, i64 %k.0
  %2 = load i64, ptr %arrayidx, align 8, !tbaa !26
  %mul = shl i64 %2, 12
  %3 = inttoptr i64 %mul to ptr
  %call = call ptr @make(ptr %3)
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 24
  %arrayidx2 = getelementptr inbounds nuw %struct.anon.0, ptr %block, i64 %k.0
  %mark3 = getelementptr inbounds nuw i8, ptr %arrayidx2, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(4096) %mark, ptr noundef nonnull align 8 dereferenceable(4096) %mark3, i64 4096, i1 false)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !29

for.end:                                          ; preds = %for.cond
  ret void
}

define internal ptr @make(ptr %p) #0 {
entry:
  %0 = load i64, ptr @used, align 8, !tbaa !15
  %mul = shl i64 %0, 1
  %1 = load i64, ptr @room, align 8, !tbaa !15
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
  %div9 = lshr i64 %3, 12
  store i64 %div9, ptr %call, align 8, !tbaa !25
  %4 = load ptr, ptr @slots, align 8, !tbaa !12
  %call2 = call i64 @place(i64 %div9)
  %arrayidx = getelementptr inbounds nuw ptr, ptr %4, i64 %call2
  store ptr %call, ptr %arrayidx, align 8, !tbaa !0
  %5 = load i64, ptr @used, align 8, !tbaa !15
  %inc = add i64 %5, 1
  store i64 %inc, ptr @used, align 8, !tbaa !15
  %6 = load i64, ptr %call, align 8, !tbaa !25
  %rem = and i64 %6, 255
  %arrayidx4 = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem
  %mul6 = shl i64 %6, 12
  store i64 %mul6, ptr %arrayidx4, align 8, !tbaa !15
  %.compoundliteral.sroa.2.0.arrayidx4.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx4, i64 8
  store ptr %call, ptr %.compoundliteral.sroa.2.0.arrayidx4.sroa_idx, align 8, !tbaa !0
  ret ptr %call
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
  %3 = load i8, ptr %arrayidx22, align 1, !tbaa !23
  %tobool23.not = icmp ne i8 %3, 0
  %conv.neg = sext i1 %tobool23.not to i64
  %4 = load i64, ptr @waiting, align 8, !tbaa !15
  %sub25 = add i64 %4, %conv.neg
  store i64 %sub25, ptr @waiting, align 8, !tbaa !15
  %stain = getelementptr inbounds nuw i8, ptr %2, i64 8192
  %arrayidx27 = getelementptr inbounds nuw i8, ptr %stain, i64 %j.0
  %5 = load i8, ptr %arrayidx27, align 1, !tbaa !23
  %tobool28.not = icmp ne i8 %5, 0
  %conv33.neg = sext i1 %tobool28.not to i64
  %6 = load i64, ptr @stained, align 8, !tbaa !15
  %sub34 = add i64 %6, %conv33.neg
  store i64 %sub34, ptr @stained, align 8, !tbaa !15
  store i8 0, ptr %arrayidx22, align 1, !tbaa !23
  %7 = load ptr, ptr %more, align 8, !tbaa !9
  %stain39 = getelementptr inbounds nuw i8, ptr %7, i64 8192
  %arrayidx40 = getelementptr inbounds nuw i8, ptr %stain39, i64 %j.0
  store i8 0, ptr %arrayidx40, align 1, !tbaa !23
  %inc = add i64 %j.0, 1
  br label %for.cond16, !llvm.loop !30

for.inc41:                                        ; preds = %for.body, %for.cond16
  %add42 = add i64 %k.0, %cond
  br label %for.cond, !llvm.loop !31

for.end45:                                        ; preds = %for.cond, %entry
  ret void
}

define internal ptr @known(ptr %p) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div8 = lshr i64 %0, 12
  %rem = and i64 %div8, 255
  %arrayidx = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem
  %1 = load i64, ptr %arrayidx, align 8, !tbaa !32
  %sub = sub i64 %0, %1
  %cmp = icmp ult i64 %sub, 4096
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %page = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load ptr, ptr %page, align 8, !tbaa !34
  br label %cleanup

if.end:                                           ; preds = %entry
  %3 = load i64, ptr @room, align 8, !tbaa !15
  %tobool.not = icmp eq i64 %3, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %if.end
  %4 = load ptr, ptr @slots, align 8, !tbaa !12
  %call = call i64 @place(i64 %div8)
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %4, i64 %call
  %5 = load ptr, ptr %arrayidx3, align 8, !tbaa !0
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.true
  %cond = phi ptr [ %5, %cond.true ], [ null, %if.end ]
  %tobool4.not = icmp eq ptr %cond, null
  br i1 %tobool4.not, label %cleanup, label %if.then5

if.then5:                                         ; preds = %cond.end
  %6 = load i64, ptr %cond, align 8, !tbaa !25
  %mul = shl i64 %6, 12
  store i64 %mul, ptr %arrayidx, align 8, !tbaa !15
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store ptr %cond, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8, !tbaa !0
  br label %cleanup

cleanup:                                          ; preds = %cond.end, %if.then5, %if.then
  %retval.0 = phi ptr [ %2, %if.then ], [ %cond, %if.then5 ], [ null, %cond.end ]
  ret ptr %retval.0
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

define void @em.kinds.note(ptr %p, i64 %n, i64 %period, i64 %offset, i32 %kind) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  %cmp = icmp eq i32 %kind, 64
  %conv1 = zext i1 %cmp to i64
  %0 = load i64, ptr @pointers, align 8, !tbaa !15
  %or = or i64 %0, %conv1
  store i64 %or, ptr @pointers, align 8, !tbaa !15
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
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %conv12 = zext i8 %2 to i32
  %or13 = or i32 %bits.0, %conv12
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond5, !llvm.loop !35

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
  br label %for.cond15, !llvm.loop !36

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
  br label %for.cond, !llvm.loop !37

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
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !23
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
  br label %for.cond, !llvm.loop !38

for.end:                                          ; preds = %for.cond
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
  store i64 1, ptr @pointers, align 8, !tbaa !15
  %tobool.not = icmp eq ptr %cond, null
  br i1 %tobool.not, label %if.else, label %land.lhs.true

land.lhs.true:                                    ; preds = %cond.end
  %1 = load i64, ptr %cond, align 1, !tbaa !23
  %tobool1.not = icmp eq i64 %1, 0
  br i1 %tobool1.not, label %if.then, label %if.else

if.then:                                          ; preds = %land.lhs.true
  store i64 5135868584551137600, ptr %cond, align 1, !tbaa !23
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
  br label %for.cond, !llvm.loop !39

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
  %1 = load i8, ptr %add.ptr, align 1, !tbaa !23
  %tobool5.not = icmp eq i8 %1, 0
  br i1 %tobool5.not, label %if.end, label %cleanup6

if.end:                                           ; preds = %land.lhs.true3, %for.body
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !40

cleanup6:                                         ; preds = %land.lhs.true3, %for.cond
  %switch.select = zext i1 %cmp.not to i32
  ret i32 %switch.select
}

define internal void @fail(ptr %text, ptr %file, i32 %line) #0 {
entry:
  call void @em.run.bytes(ptr %text, ptr %file, i32 %line) #12
  unreachable
}

define void @em.kinds.pointed(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @holds_adjoint(ptr %p, i32 8)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
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
  call void @fail(ptr nonnull @.str.2, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !41

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
  %2 = load i64, ptr %arrayidx, align 1, !tbaa !23
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
  store i64 %2, ptr %arrayidx22, align 1, !tbaa !23
  br label %if.end27

if.end27:                                         ; preds = %land.lhs.true12, %for.body7, %if.then
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true12, %if.end27
  %cleanup.dest.slot.0 = phi i32 [ 0, %if.end27 ], [ 5, %land.lhs.true12 ]
  switch i32 %cleanup.dest.slot.0, label %unreachable [
    i32 0, label %for.cond1
    i32 5, label %for.end
  ], !llvm.loop !42

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
  br label %for.cond, !llvm.loop !43

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
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !23
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret void
}

define void @em.kinds.stain(ptr %p, i64 %n, double %part, i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  %cmp = fcmp une double %part, 0.000000e+00
  %or.cond = select i1 %arrived, i1 %cmp, i1 false
  br i1 %or.cond, label %for.cond, label %if.end

for.cond:                                         ; preds = %entry, %for.body
  %k.0 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %cmp1 = icmp ult i64 %k.0, %n
  br i1 %cmp1, label %for.body, label %if.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i32 @place_of(ptr %file, i32 %at)
  call void @set_stain(ptr %add.ptr, i32 %call)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !44

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
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %tobool5.not = icmp ne i8 %1, 0
  %lnot.ext9.neg = sext i1 %tobool5.not to i64
  %sub = add nsw i64 %lnot.ext9.neg, %lnot.ext
  %2 = load i64, ptr @stained, align 8, !tbaa !15
  %add = add i64 %2, %sub
  store i64 %add, ptr @stained, align 8, !tbaa !15
  %conv10 = trunc i32 %place to i8
  store i8 %conv10, ptr %arrayidx, align 1, !tbaa !23
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %cond.end
  ret void
}

define internal i32 @place_of(ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %0 = load i32, ptr @known_stains, align 4, !tbaa !17
  %cmp.not = icmp sgt i32 %k.0, %0
  br i1 %cmp.not, label %cleanup, label %for.body

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.anon, ptr @stains, i64 %idxprom
  %at1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %at1, align 8, !tbaa !45
  %cmp2 = icmp eq i32 %1, %at
  br i1 %cmp2, label %land.lhs.true, label %for.inc

land.lhs.true:                                    ; preds = %for.body
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !19
  %cmp6 = icmp eq ptr %2, %file
  br i1 %cmp6, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !46

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
  store i32 %inc9, ptr @known_stains, align 4, !tbaa !17
  br label %if.end10

if.end10:                                         ; preds = %if.then8, %for.end
  %3 = load i32, ptr @known_stains, align 4, !tbaa !17
  %idxprom11 = sext i32 %3 to i64
  %arrayidx12 = getelementptr inbounds %struct.anon, ptr @stains, i64 %idxprom11
  store ptr %file, ptr %arrayidx12, align 8, !tbaa !19
  %at16 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 8
  store i32 %at, ptr %at16, align 8, !tbaa !45
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
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !23
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
  br label %for.cond, !llvm.loop !47

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
  br label %for.cond9, !llvm.loop !48

if.end:                                           ; preds = %for.cond9, %for.end
  ret void
}

define internal i32 @stain_in(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %found.0 = phi i32 [ 0, %entry ], [ %call, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @stained, align 8, !tbaa !15
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
  br label %for.cond, !llvm.loop !49

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
  %0 = load i64, ptr @stained, align 8, !tbaa !15
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp ult i64 %k.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  call void @set_stain(ptr %add.ptr, i32 0)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !50

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.wash_block(ptr %shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %shadow, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %shadow, i64 -56
  %0 = load i64, ptr %add.ptr, align 8, !tbaa !15
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
  %0 = load i64, ptr @stained, align 8, !tbaa !15
  %tobool = icmp ne i64 %0, 0
  %tobool1 = icmp ne ptr %page.0, null
  %spec.select = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %1 = load i64, ptr %page.0, align 8, !tbaa !25
  %mul = shl i64 %1, 12
  %2 = inttoptr i64 %mul to ptr
  call void @not_stained(ptr %2, i64 4096)
  %next = getelementptr inbounds nuw i8, ptr %page.0, i64 8
  br label %for.cond, !llvm.loop !51

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
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !19
  %at = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %at, align 8, !tbaa !45
  call void @fail(ptr nonnull @.str.3, ptr %0, i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.are_numbers(i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  br i1 %arrived, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.3, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define i1 @em.kinds.in_word(ptr %p, i64 %n, i64 %width) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = urem i64 %0, %width
  %idx.neg = sub i64 0, %rem
  %add.ptr = getelementptr inbounds i8, ptr %p, i64 %idx.neg
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %bits.0 = phi i32 [ 0, %entry ], [ %or, %for.body ]
  %integers.0 = phi i32 [ 0, %entry ], [ %add, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %1 = load i64, ptr @room, align 8, !tbaa !15
  %tobool = icmp ne i64 %1, 0
  %cmp = icmp ult i64 %k.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i8 @mark_of(ptr %add.ptr1)
  %cmp2 = icmp eq i8 %call, 80
  %conv3 = zext i1 %cmp2 to i32
  %add = add nuw nsw i32 %integers.0, %conv3
  %tobool4 = icmp ne i8 %call, 0
  %cmp6 = icmp ne i8 %call, 80
  %spec.select14 = and i1 %tobool4, %cmp6
  %land.ext = zext i1 %spec.select14 to i32
  %or = or i32 %bits.0, %land.ext
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !52

for.end:                                          ; preds = %for.cond
  %conv9 = zext nneg i32 %integers.0 to i64
  %cmp10 = icmp eq i64 %n, %conv9
  br i1 %cmp10, label %cleanup, label %for.cond13

for.cond13:                                       ; preds = %for.end, %for.body17
  %bits.1 = phi i32 [ %or19, %for.body17 ], [ %bits.0, %for.end ]
  %k12.0 = phi i64 [ %inc21, %for.body17 ], [ 0, %for.end ]
  %cmp14 = icmp ult i64 %k12.0, %width
  br i1 %cmp14, label %for.body17, label %for.end22

for.body17:                                       ; preds = %for.cond13
  %arrayidx = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k12.0
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %conv18 = zext i8 %2 to i32
  %or19 = or i32 %bits.1, %conv18
  %inc21 = add i64 %k12.0, 1
  br label %for.cond13, !llvm.loop !53

for.end22:                                        ; preds = %for.cond13
  %tobool23 = icmp ne i32 %bits.1, 0
  br label %cleanup

cleanup:                                          ; preds = %for.end, %for.end22
  %retval.0 = phi i1 [ %tobool23, %for.end22 ], [ false, %for.end ]
  ret i1 %retval.0
}

define void @em.kinds.piece(ptr %p, i64 %n, i1 %hidden) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @room, align 8, !tbaa !15
  %tobool = icmp ne i64 %0, 0
  %or.cond = select i1 %tobool, i1 true, i1 %hidden
  %cmp = icmp ult i64 %k.0, %n
  %or.cond4 = select i1 %or.cond, i1 %cmp, i1 false
  br i1 %or.cond4, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %cond = select i1 %hidden, i32 16, i32 0
  call void @set_mark(ptr %add.ptr, i32 %cond)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !54

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.integer(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  call void @set_mark(ptr %add.ptr, i32 80)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !55

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.copy_pieces(ptr %target, ptr %origin, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %j.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @room, align 8, !tbaa !15
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp ult i64 %j.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %cmp1 = icmp ult ptr %target, %origin
  %1 = xor i64 %j.0, -1
  %sub2 = add i64 %n, %1
  %cond = select i1 %cmp1, i64 %j.0, i64 %sub2
  %add.ptr = getelementptr inbounds nuw i8, ptr %target, i64 %cond
  %add.ptr3 = getelementptr inbounds nuw i8, ptr %origin, i64 %cond
  %call = call i8 @mark_of(ptr %add.ptr3)
  %conv = zext i8 %call to i32
  call void @set_mark(ptr %add.ptr, i32 %conv)
  %inc = add i64 %j.0, 1
  br label %for.cond, !llvm.loop !56

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.written(ptr %p, i32 %kind) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  call void @mark_all(ptr %p, i32 %kind, i32 %call)
  ret void
}

define void @em.kinds.read_as(ptr %p, i32 %kind, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  br label %for.cond

for.cond:                                         ; preds = %land.end14, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %land.end14 ]
  %bits.0 = phi i32 [ 0, %entry ], [ %or16, %land.end14 ]
  %other.0 = phi i32 [ 0, %entry ], [ %or, %land.end14 ]
  %0 = load i64, ptr @room, align 8, !tbaa !15
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp slt i32 %k.0, %call
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call1 = call i8 @mark_of(ptr %add.ptr)
  switch i8 %call1, label %land.lhs.true5 [
    i8 0, label %land.end14
    i8 80, label %land.end14
  ]

land.lhs.true5:                                   ; preds = %for.body
  %conv = zext i8 %call1 to i32
  %add = add nsw i32 %kind, %k.0
  %cmp6.not = icmp eq i32 %add, %conv
  br i1 %cmp6.not, label %land.end14, label %land.rhs8

land.rhs8:                                        ; preds = %land.lhs.true5
  %cmp9 = icmp ne i8 %call1, 16
  %tobool12 = icmp eq i32 %k.0, 0
  %spec.select13.not = select i1 %cmp9, i1 true, i1 %tobool12
  %1 = zext i1 %spec.select13.not to i32
  br label %land.end14

land.end14:                                       ; preds = %for.body, %for.body, %land.rhs8, %land.lhs.true5
  %land.ext = phi i32 [ 0, %land.lhs.true5 ], [ 0, %for.body ], [ 0, %for.body ], [ %1, %land.rhs8 ]
  %or = or i32 %other.0, %land.ext
  %2 = load i8, ptr %add.ptr, align 1, !tbaa !23
  %conv15 = zext i8 %2 to i32
  %or16 = or i32 %bits.0, %conv15
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !57

for.end:                                          ; preds = %for.cond
  %tobool17 = icmp ne i32 %other.0, 0
  %tobool19 = icmp ne i32 %bits.0, 0
  %or.cond = select i1 %tobool17, i1 %tobool19, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %for.end
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %for.end
  ret void
}

define void @em.kinds.suspect(i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  %0 = load ptr, ptr @suspected, align 8
  %tobool = icmp eq ptr %0, null
  %or.cond.not = select i1 %arrived, i1 %tobool, i1 false
  br i1 %or.cond.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store ptr %file, ptr @suspected, align 8, !tbaa !19
  store i32 %at, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !45
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
  %1 = load i32, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !45
  call void @fail(ptr nonnull @.str.3, ptr nonnull %0, i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.nothing(ptr %p, i64 %n) #0 {
entry:
  call void @wash_all(ptr %p, i64 %n)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i8 @mark_of(ptr %add.ptr)
  %0 = and i8 %call, -16
  %cmp1.not = icmp eq i8 %0, 64
  br i1 %cmp1.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  store i8 0, ptr %add.ptr, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !58

for.end:                                          ; preds = %for.cond
  ret void
}

define double @em.kinds.read.double(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @read(ptr %p, i32 16, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load double, ptr %bits, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  ret double %part.0.copyload
}

define internal void @read(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
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
  %cond = select i1 %cmp5, ptr @.str.7, ptr @.str.1
  call void @fail(ptr nonnull %cond, ptr %file, i32 %at)
  %cmp7 = icmp eq i32 %call1, 0
  br i1 %cmp7, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry, %if.then
  br label %cond.end

cond.end:                                         ; preds = %if.then, %entry, %cond.false
  %cond9 = phi ptr [ %p, %cond.false ], [ null, %entry ], [ null, %if.then ]
  call void @put(ptr %part, ptr %cond9, i32 %call)
  ret void
}

define void @em.kinds.set.double(ptr %p, double %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store double %part, ptr %bits, align 1
  call void @set(ptr %p, i32 16, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  ret void
}

define internal void @set(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  call void @none_waits(ptr %p, i32 %call, ptr %file, i32 %at)
  %conv = sext i32 %call to i64
  call void @em.kinds.nothing(ptr %p, i64 %conv)
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %bits.0 = phi i32 [ 0, %entry ], [ %or, %for.body ]
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp slt i32 %k.0, %call
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %part, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %conv2 = zext i8 %0 to i32
  %or = or i32 %bits.0, %conv2
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !59

for.end:                                          ; preds = %for.cond
  %tobool.not = icmp eq i32 %bits.0, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.end
  call void @put(ptr %p, ptr %part, i32 %call)
  call void @mark_all(ptr %p, i32 %kind, i32 %call)
  br label %if.end

if.end:                                           ; preds = %if.then, %for.end
  ret void
}

define float @em.kinds.read.float(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @read(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load float, ptr %bits, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  ret float %part.0.copyload
}

define void @em.kinds.set.float(ptr %p, float %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store float %part, ptr %bits, align 1
  call void @set(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  ret void
}

define void @em.kinds.forth(ptr %to, ptr %from, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %conv = trunc i64 %n to i32
  call void @none_waits(ptr %from, i32 %conv, ptr %file, i32 %at)
  call void @none_waits(ptr %to, i32 %conv, ptr %file, i32 %at)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %j.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %j.0, %n
  %cmp3 = icmp ne ptr %to, %from
  %spec.select = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %cmp5 = icmp ult ptr %from, %to
  %0 = xor i64 %j.0, -1
  %sub7 = add i64 %n, %0
  %cond = select i1 %cmp5, i64 %sub7, i64 %j.0
  %add.ptr = getelementptr inbounds nuw i8, ptr %from, i64 %cond
  %call = call i8 @mark_of(ptr %add.ptr)
  %conv8 = zext i8 %call to i32
  %and = and i32 %conv8, 240
  %cmp9 = icmp eq i32 %and, 64
  %add.ptr11 = getelementptr inbounds nuw i8, ptr %to, i64 %cond
  %call12 = call i8 @mark_of(ptr %add.ptr11)
  %1 = and i8 %call12, -16
  %cmp15 = icmp ne i8 %1, 64
  br i1 %cmp9, label %cond.end20, label %cond.false18

cond.false18:                                     ; preds = %for.body
  %2 = load i8, ptr %add.ptr, align 1, !tbaa !23
  br label %cond.end20

cond.end20:                                       ; preds = %for.body, %cond.false18
  %cond21 = phi i8 [ %2, %cond.false18 ], [ 0, %for.body ]
  %3 = load i64, ptr @stained, align 8, !tbaa !15
  %tobool23.not = icmp eq i64 %3, 0
  br i1 %tobool23.not, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end20
  br i1 %cmp9, label %cond.end30, label %cond.false27

cond.false27:                                     ; preds = %if.then
  %call29 = call i32 @stain_of(ptr %add.ptr)
  br label %cond.end30

cond.end30:                                       ; preds = %if.then, %cond.false27
  %cond31 = phi i32 [ %call29, %cond.false27 ], [ 0, %if.then ]
  call void @set_stain(ptr %add.ptr11, i32 %cond31)
  br label %if.end

if.end:                                           ; preds = %cond.end30, %cond.end20
  %spec.select35 = select i1 %cmp9, i32 0, i32 %conv8
  %tobool37 = icmp eq i8 %cond21, 0
  %or.cond = select i1 %cmp15, i1 true, i1 %tobool37
  %tobool39 = icmp ne i32 %spec.select35, 0
  %or.cond36 = select i1 %or.cond, i1 true, i1 %tobool39
  br i1 %or.cond36, label %if.end41, label %if.then40

if.then40:                                        ; preds = %if.end
  call void @fail(ptr nonnull @.str.4, ptr %file, i32 %at)
  br label %if.end41

if.end41:                                         ; preds = %if.then40, %if.end
  %or.cond37 = select i1 %cmp15, i1 true, i1 %tobool39
  br i1 %or.cond37, label %if.then44, label %for.inc

if.then44:                                        ; preds = %if.end41
  store i8 %cond21, ptr %add.ptr11, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %add.ptr11, i32 %spec.select35)
  br label %for.inc

for.inc:                                          ; preds = %if.then44, %if.end41
  %inc = add i64 %j.0, 1
  br label %for.cond, !llvm.loop !60

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @none_waits(ptr %p, i32 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @waiting, align 8, !tbaa !15
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
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %tobool4.not = icmp eq i8 %2, 0
  br i1 %tobool4.not, label %for.inc, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.7, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true, %if.then
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !61

for.end:                                          ; preds = %for.cond
  ret void
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
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %conv = zext i8 %1 to i32
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %conv, %cond.true ], [ 0, %entry ]
  ret i32 %cond
}

define void @em.kinds.no_number(ptr %p, i64 %n, i1 %arrived, ptr %file, i32 %at) #0 {
entry:
  br i1 %arrived, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %call = call i32 @stain_in(ptr %p, i64 %n)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %lor.lhs.false, label %if.then

lor.lhs.false:                                    ; preds = %land.lhs.true
  %call1 = call i32 @holds_number(ptr %p, i64 %n)
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %if.end, label %if.then

if.then:                                          ; preds = %lor.lhs.false, %land.lhs.true
  call void @fail(ptr nonnull @.str.3, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %lor.lhs.false, %entry
  ret void
}

define internal i32 @holds_number(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %land.end, %entry
  %found.0 = phi i32 [ 0, %entry ], [ %or, %land.end ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %land.end ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %tobool.not = icmp eq i8 %0, 0
  br i1 %tobool.not, label %lor.lhs.false, label %land.rhs

lor.lhs.false:                                    ; preds = %for.body
  %call = call i8 @mark_of(ptr nonnull %arrayidx)
  %tobool2.not = icmp eq i8 %call, 0
  br i1 %tobool2.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %lor.lhs.false, %for.body
  %call4 = call i8 @mark_of(ptr nonnull %arrayidx)
  %1 = and i8 %call4, -16
  %cmp6 = icmp ne i8 %1, 64
  %2 = zext i1 %cmp6 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.lhs.false
  %land.ext = phi i32 [ 0, %lor.lhs.false ], [ %2, %land.rhs ]
  %or = or i32 %found.0, %land.ext
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !62

for.end:                                          ; preds = %for.cond
  ret i32 %found.0
}

define void @em.kinds.pass_on(ptr %result, i64 %n, ptr %p, i64 %count, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @stain_in(ptr %p, i64 %count)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %lor.lhs.false, label %if.then

lor.lhs.false:                                    ; preds = %entry
  %call1 = call i32 @holds_number(ptr %p, i64 %count)
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %if.end, label %if.then

if.then:                                          ; preds = %lor.lhs.false, %entry
  br label %for.cond

for.cond:                                         ; preds = %cond.end, %if.then
  %k.0 = phi i64 [ 0, %if.then ], [ %inc, %cond.end ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %if.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %result, i64 %k.0
  br i1 %tobool.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %for.body
  %call4 = call i32 @place_of(ptr %file, i32 %at)
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.false
  %cond = phi i32 [ %call4, %cond.false ], [ %call, %for.body ]
  call void @set_stain(ptr %add.ptr, i32 %cond)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !63

if.end:                                           ; preds = %for.cond, %lor.lhs.false
  ret void
}

define void @em.kinds.add.double(ptr %p, double %part, ptr %file, i32 %at) #5 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i14 = lshr i64 %0, 12
  %rem.i = and i64 %div.i14, 255
  %arrayidx.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i
  %1 = load i64, ptr %arrayidx.i, align 8, !tbaa !32
  %sub.i = sub i64 %0, %1
  %cmp2.i = icmp ult i64 %sub.i, 4089
  br i1 %cmp2.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %entry
  %page.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load ptr, ptr %page.i, align 8, !tbaa !34
  %mark.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %sub.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ null, %entry ], [ %arrayidx3.i, %cond.true.i ]
  %tobool.not = call i1 @llvm.is.fpclass.f64(double %part, i32 64)
  br i1 %tobool.not, label %cleanup.cont, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %at_hand.exit
  %conv = zext i1 %cmp2.i to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool3.not = icmp eq i64 %expval, 0
  br i1 %tobool3.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false
  %3 = load i64, ptr %cond.i, align 1, !tbaa !23
  switch i64 %3, label %add_whole_double.exit [
    i64 0, label %if.end.i
    i64 1663540288323457296, label %if.end.i
  ]

if.end.i:                                         ; preds = %land.lhs.true, %land.lhs.true
  %4 = load double, ptr %p, align 1, !tbaa !23
  %add.i = fadd double %4, %part
  store double %add.i, ptr %p, align 1, !tbaa !23
  store i64 1663540288323457296, ptr %cond.i, align 1, !tbaa !23
  br label %add_whole_double.exit

add_whole_double.exit:                            ; preds = %land.lhs.true, %if.end.i
  %lnot8 = phi i64 [ 1, %if.end.i ], [ 0, %land.lhs.true ]
  %expval11 = call i64 @llvm.expect.i64(i64 %lnot8, i64 1)
  %tobool12.not = icmp eq i64 %expval11, 0
  br i1 %tobool12.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %add_whole_double.exit, %lor.lhs.false
  call void @add_double_bytes(ptr %p, double %part, ptr %file, i32 %at)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %add_whole_double.exit, %at_hand.exit
  ret void
}

declare i64 @llvm.expect.i64(i64, i64) #6

define internal void @add_double_bytes(ptr %p, double %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %cmp = icmp samesign ugt i64 %rem, 4088
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %call = call ptr @marks_at(ptr %p)
  %1 = load i64, ptr %call, align 1, !tbaa !23
  switch i64 %1, label %if.then [
    i64 0, label %if.end.i
    i64 1663540288323457296, label %if.end.i
  ]

if.end.i:                                         ; preds = %lor.lhs.false, %lor.lhs.false
  %2 = load double, ptr %p, align 1, !tbaa !23
  %add.i = fadd double %2, %part
  store double %add.i, ptr %p, align 1, !tbaa !23
  store i64 1663540288323457296, ptr %call, align 1, !tbaa !23
  br label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store double %part, ptr %bits, align 1
  call void @add(ptr %p, i32 16, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  br label %if.end

if.end:                                           ; preds = %if.end.i, %if.then
  ret void
}

define double @em.kinds.take.double(ptr %p, ptr %file, i32 %at) #5 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i14 = lshr i64 %0, 12
  %rem.i = and i64 %div.i14, 255
  %arrayidx.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i
  %1 = load i64, ptr %arrayidx.i, align 8, !tbaa !32
  %sub.i = sub i64 %0, %1
  %cmp2.i = icmp ult i64 %sub.i, 4089
  br i1 %cmp2.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %entry
  %page.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load ptr, ptr %page.i, align 8, !tbaa !34
  %mark.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %sub.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ null, %entry ], [ %arrayidx3.i, %cond.true.i ]
  %conv = zext i1 %cmp2.i to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool2.not = icmp eq i64 %expval, 0
  br i1 %tobool2.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %at_hand.exit
  %3 = load i64, ptr @waiting, align 8, !tbaa !15
  %4 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %3, %4
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %land.rhs.i, label %is_whole_double.exit

land.rhs.i:                                       ; preds = %land.lhs.true
  %5 = load i64, ptr %cond.i, align 1, !tbaa !23
  %tobool1.i.not = icmp eq i64 %5, 0
  br i1 %tobool1.i.not, label %is_whole_double.exit, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %land.rhs.i
  %cmp.i1 = icmp eq i64 %5, 1663540288323457296
  %6 = zext i1 %cmp.i1 to i64
  br label %is_whole_double.exit

is_whole_double.exit:                             ; preds = %land.rhs.i, %lor.rhs.i, %land.lhs.true
  %land.ext.i = phi i64 [ 0, %land.lhs.true ], [ 1, %land.rhs.i ], [ %6, %lor.rhs.i ]
  %expval10 = call i64 @llvm.expect.i64(i64 %land.ext.i, i64 1)
  %tobool11.not = icmp eq i64 %expval10, 0
  br i1 %tobool11.not, label %if.end, label %if.then

if.then:                                          ; preds = %is_whole_double.exit
  %7 = load double, ptr %p, align 1, !tbaa !23
  store i64 0, ptr %p, align 1, !tbaa !23
  store i64 0, ptr %cond.i, align 1, !tbaa !23
  br label %cleanup

if.end:                                           ; preds = %is_whole_double.exit, %at_hand.exit
  %call13 = call double @take_double_bytes(ptr %p, ptr %file, i32 %at)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi double [ %7, %if.then ], [ %call13, %if.end ]
  ret double %retval.0
}

define internal double @take_double_bytes(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %call = call ptr @marks_at(ptr %p)
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %cmp = icmp samesign ult i64 %rem, 4089
  br i1 %cmp, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %1 = load i64, ptr @waiting, align 8, !tbaa !15
  %2 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %1, %2
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %land.rhs.i, label %if.end

land.rhs.i:                                       ; preds = %land.lhs.true
  %3 = load i64, ptr %call, align 1, !tbaa !23
  switch i64 %3, label %if.end [
    i64 1663540288323457296, label %if.then
    i64 0, label %if.then
  ]

if.then:                                          ; preds = %land.rhs.i, %land.rhs.i
  %4 = load double, ptr %p, align 1, !tbaa !23
  store i64 0, ptr %p, align 1, !tbaa !23
  store i64 0, ptr %call, align 1, !tbaa !23
  br label %cleanup

if.end:                                           ; preds = %land.rhs.i, %land.lhs.true, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @take(ptr %p, i32 16, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load double, ptr %bits, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi double [ %4, %if.then ], [ %part.0.copyload, %if.end ]
  ret double %retval.0
}

define void @em.kinds.add.float(ptr %p, float %part, ptr %file, i32 %at) #5 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i14 = lshr i64 %0, 12
  %rem.i = and i64 %div.i14, 255
  %arrayidx.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i
  %1 = load i64, ptr %arrayidx.i, align 8, !tbaa !32
  %sub.i = sub i64 %0, %1
  %cmp2.i = icmp ult i64 %sub.i, 4093
  br i1 %cmp2.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %entry
  %page.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load ptr, ptr %page.i, align 8, !tbaa !34
  %mark.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %sub.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ null, %entry ], [ %arrayidx3.i, %cond.true.i ]
  %tobool.not = call i1 @llvm.is.fpclass.f32(float %part, i32 64)
  br i1 %tobool.not, label %cleanup.cont, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %at_hand.exit
  %conv = zext i1 %cmp2.i to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool3.not = icmp eq i64 %expval, 0
  br i1 %tobool3.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %lor.lhs.false
  %3 = load i32, ptr %cond.i, align 1, !tbaa !23
  switch i32 %3, label %add_whole_float.exit [
    i32 0, label %if.end.i
    i32 589439264, label %if.end.i
  ]

if.end.i:                                         ; preds = %land.lhs.true, %land.lhs.true
  %4 = load float, ptr %p, align 1, !tbaa !23
  %add.i = fadd float %4, %part
  store float %add.i, ptr %p, align 1, !tbaa !23
  store i32 589439264, ptr %cond.i, align 1, !tbaa !23
  br label %add_whole_float.exit

add_whole_float.exit:                             ; preds = %land.lhs.true, %if.end.i
  %lnot8 = phi i64 [ 1, %if.end.i ], [ 0, %land.lhs.true ]
  %expval11 = call i64 @llvm.expect.i64(i64 %lnot8, i64 1)
  %tobool12.not = icmp eq i64 %expval11, 0
  br i1 %tobool12.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %add_whole_float.exit, %lor.lhs.false
  call void @add_float_bytes(ptr %p, float %part, ptr %file, i32 %at)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %add_whole_float.exit, %at_hand.exit
  ret void
}

define internal void @add_float_bytes(ptr %p, float %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %cmp = icmp samesign ugt i64 %rem, 4092
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %call = call ptr @marks_at(ptr %p)
  %1 = load i32, ptr %call, align 1, !tbaa !23
  switch i32 %1, label %if.then [
    i32 0, label %if.end.i
    i32 589439264, label %if.end.i
  ]

if.end.i:                                         ; preds = %lor.lhs.false, %lor.lhs.false
  %2 = load float, ptr %p, align 1, !tbaa !23
  %add.i = fadd float %2, %part
  store float %add.i, ptr %p, align 1, !tbaa !23
  store i32 589439264, ptr %call, align 1, !tbaa !23
  br label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store float %part, ptr %bits, align 1
  call void @add(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  br label %if.end

if.end:                                           ; preds = %if.end.i, %if.then
  ret void
}

define float @em.kinds.take.float(ptr %p, ptr %file, i32 %at) #5 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i14 = lshr i64 %0, 12
  %rem.i = and i64 %div.i14, 255
  %arrayidx.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i
  %1 = load i64, ptr %arrayidx.i, align 8, !tbaa !32
  %sub.i = sub i64 %0, %1
  %cmp2.i = icmp ult i64 %sub.i, 4093
  br i1 %cmp2.i, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %entry
  %page.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load ptr, ptr %page.i, align 8, !tbaa !34
  %mark.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %sub.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ null, %entry ], [ %arrayidx3.i, %cond.true.i ]
  %conv = zext i1 %cmp2.i to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool2.not = icmp eq i64 %expval, 0
  br i1 %tobool2.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %at_hand.exit
  %3 = load i64, ptr @waiting, align 8, !tbaa !15
  %4 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %3, %4
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %land.rhs.i, label %is_whole_float.exit

land.rhs.i:                                       ; preds = %land.lhs.true
  %5 = load i32, ptr %cond.i, align 1, !tbaa !23
  %tobool1.i.not = icmp eq i32 %5, 0
  br i1 %tobool1.i.not, label %is_whole_float.exit, label %lor.rhs.i

lor.rhs.i:                                        ; preds = %land.rhs.i
  %cmp.i1 = icmp eq i32 %5, 589439264
  %6 = zext i1 %cmp.i1 to i64
  br label %is_whole_float.exit

is_whole_float.exit:                              ; preds = %land.rhs.i, %lor.rhs.i, %land.lhs.true
  %land.ext.i = phi i64 [ 0, %land.lhs.true ], [ 1, %land.rhs.i ], [ %6, %lor.rhs.i ]
  %expval10 = call i64 @llvm.expect.i64(i64 %land.ext.i, i64 1)
  %tobool11.not = icmp eq i64 %expval10, 0
  br i1 %tobool11.not, label %if.end, label %if.then

if.then:                                          ; preds = %is_whole_float.exit
  %7 = load float, ptr %p, align 1, !tbaa !23
  store i32 0, ptr %p, align 1, !tbaa !23
  store i32 0, ptr %cond.i, align 1, !tbaa !23
  br label %cleanup

if.end:                                           ; preds = %is_whole_float.exit, %at_hand.exit
  %call13 = call float @take_float_bytes(ptr %p, ptr %file, i32 %at)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi float [ %7, %if.then ], [ %call13, %if.end ]
  ret float %retval.0
}

define internal float @take_float_bytes(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 1
  %call = call ptr @marks_at(ptr %p)
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 4095
  %cmp = icmp samesign ult i64 %rem, 4093
  br i1 %cmp, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %entry
  %1 = load i64, ptr @waiting, align 8, !tbaa !15
  %2 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %1, %2
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %land.rhs.i, label %if.end

land.rhs.i:                                       ; preds = %land.lhs.true
  %3 = load i32, ptr %call, align 1, !tbaa !23
  switch i32 %3, label %if.end [
    i32 589439264, label %if.then
    i32 0, label %if.then
  ]

if.then:                                          ; preds = %land.rhs.i, %land.rhs.i
  %4 = load float, ptr %p, align 1, !tbaa !23
  store i32 0, ptr %p, align 1, !tbaa !23
  store i32 0, ptr %call, align 1, !tbaa !23
  br label %cleanup

if.end:                                           ; preds = %land.rhs.i, %land.lhs.true, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @take(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load float, ptr %bits, align 1
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.then
  %retval.0 = phi float [ %4, %if.then ], [ %part.0.copyload, %if.end ]
  ret float %retval.0
}

define void @em.kinds.move(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #5 {
entry:
  %0 = ptrtoint ptr %target to i64
  %div.i5.i58 = lshr i64 %0, 12
  %rem.i6.i = and i64 %div.i5.i58, 255
  %arrayidx.i7.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i6.i
  %1 = load i64, ptr %arrayidx.i7.i, align 8, !tbaa !32
  %sub.i8.i = sub i64 %0, %1
  %cmp.i9.i = icmp ult i64 %n, 4097
  %sub1.i13.i = sub i64 4096, %n
  %cmp2.i14.i = icmp ule i64 %sub.i8.i, %sub1.i13.i
  %or.cond = select i1 %cmp.i9.i, i1 %cmp2.i14.i, i1 false
  br i1 %or.cond, label %cond.true.i15.i, label %at_hand.exit19.i

cond.true.i15.i:                                  ; preds = %entry
  %page.i16.i = getelementptr inbounds nuw i8, ptr %arrayidx.i7.i, i64 8
  %2 = load ptr, ptr %page.i16.i, align 8, !tbaa !34
  %mark.i17.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %arrayidx3.i18.i = getelementptr inbounds nuw i8, ptr %mark.i17.i, i64 %sub.i8.i
  br label %at_hand.exit19.i

at_hand.exit19.i:                                 ; preds = %entry, %cond.true.i15.i
  %cond.i11.i = phi ptr [ null, %entry ], [ %arrayidx3.i18.i, %cond.true.i15.i ]
  %3 = ptrtoint ptr %origin to i64
  %div.i.i59 = lshr i64 %3, 12
  %rem.i.i = and i64 %div.i.i59, 255
  %arrayidx.i.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i.i
  %4 = load i64, ptr %arrayidx.i.i, align 8, !tbaa !32
  %sub.i.i = sub i64 %3, %4
  %cmp2.i.i = icmp ule i64 %sub.i.i, %sub1.i13.i
  %or.cond54 = select i1 %cmp.i9.i, i1 %cmp2.i.i, i1 false
  br i1 %or.cond54, label %cond.true.i.i, label %at_hand.exit.i

cond.true.i.i:                                    ; preds = %at_hand.exit19.i
  %page.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 8
  %5 = load ptr, ptr %page.i.i, align 8, !tbaa !34
  %mark.i.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  %arrayidx3.i.i = getelementptr inbounds nuw i8, ptr %mark.i.i, i64 %sub.i.i
  br label %at_hand.exit.i

at_hand.exit.i:                                   ; preds = %at_hand.exit19.i, %cond.true.i.i
  %or.cond55 = phi i1 [ false, %at_hand.exit19.i ], [ %cmp2.i14.i, %cond.true.i.i ]
  %cond.i.i = phi ptr [ null, %at_hand.exit19.i ], [ %arrayidx3.i.i, %cond.true.i.i ]
  %tobool4.i = icmp ne i64 %n, 0
  %or.cond56 = and i1 %or.cond55, %tobool4.i
  br i1 %or.cond56, label %land.rhs.i, label %land.end.i

land.rhs.i:                                       ; preds = %at_hand.exit.i
  %sub.i = sub i64 %0, %3
  %add.i = add i64 %sub.i, %n
  %sub5.i = add i64 %add.i, -1
  %sub6.i = shl i64 %n, 1
  %mul.i = add i64 %sub6.i, -2
  %cmp.i = icmp ugt i64 %sub5.i, %mul.i
  %6 = zext i1 %cmp.i to i64
  br label %land.end.i

land.end.i:                                       ; preds = %land.rhs.i, %at_hand.exit.i
  %lnot.ext.i = phi i64 [ 0, %at_hand.exit.i ], [ %6, %land.rhs.i ]
  %expval.i = call i64 @llvm.expect.i64(i64 %lnot.ext.i, i64 1)
  %tobool8.i.not = icmp eq i64 %expval.i, 0
  br i1 %tobool8.i.not, label %move_at_hand.exit, label %cond.true.i

cond.true.i:                                      ; preds = %land.end.i
  %7 = load i64, ptr @waiting, align 8, !tbaa !15
  %8 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %7, %8
  %tobool.i4.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i4.not, label %for.cond.i, label %move_at_hand.exit

for.cond.i:                                       ; preds = %cond.true.i, %cleanup.cont.i
  %k.i.0 = phi i64 [ %add.i5, %cleanup.cont.i ], [ 0, %cond.true.i ]
  %there.addr.i.0 = phi ptr [ %incdec.ptr24.i, %cleanup.cont.i ], [ %cond.i.i, %cond.true.i ]
  %here.addr.i.0 = phi ptr [ %incdec.ptr.i, %cleanup.cont.i ], [ %cond.i11.i, %cond.true.i ]
  %retval.i.0 = phi i64 [ %retval.i.1, %cleanup.cont.i ], [ undef, %cond.true.i ]
  %add.i5 = add i64 %k.i.0, 8
  %cmp.i6.not = icmp ugt i64 %add.i5, %n
  br i1 %cmp.i6.not, label %move_at_hand.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %target, i64 %k.i.0
  %9 = load i64, ptr %add.ptr.i, align 1, !tbaa !23
  %10 = load i64, ptr %here.addr.i.0, align 1, !tbaa !23
  %cmp1.i = icmp eq i64 %10, 1663540288323457296
  br i1 %cmp1.i, label %if.then2.i, label %if.else.i

if.then2.i:                                       ; preds = %for.body.i
  %cond57 = icmp eq i64 %9, 0
  br i1 %cond57, label %if.end14.i, label %land.lhs.true.i7

land.lhs.true.i7:                                 ; preds = %if.then2.i
  %11 = load i64, ptr %there.addr.i.0, align 1, !tbaa !23
  switch i64 %11, label %cleanup.i [
    i64 0, label %if.then10.i
    i64 1663540288323457296, label %if.then10.i
  ]

if.then10.i:                                      ; preds = %land.lhs.true.i7, %land.lhs.true.i7
  %12 = load double, ptr %add.ptr.i, align 1, !tbaa !23
  %add.ptr12.i = getelementptr inbounds nuw i8, ptr %origin, i64 %k.i.0
  %13 = load double, ptr %add.ptr12.i, align 1, !tbaa !23
  %add13.i = fadd double %13, %12
  store double %add13.i, ptr %add.ptr12.i, align 1, !tbaa !23
  store i64 1663540288323457296, ptr %there.addr.i.0, align 1, !tbaa !23
  br label %if.end14.i

if.end14.i:                                       ; preds = %if.then2.i, %if.then10.i
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !23
  store i64 0, ptr %here.addr.i.0, align 1, !tbaa !23
  br label %if.end22.i

if.else.i:                                        ; preds = %for.body.i
  %or16.i = or i64 %10, %9
  %tobool17.i.not = icmp eq i64 %or16.i, 0
  %cmp19.i.not = icmp eq i64 %10, 5135868584551137600
  %or.cond61 = or i1 %tobool17.i.not, %cmp19.i.not
  br i1 %or.cond61, label %if.end22.i, label %cleanup.i

if.end22.i:                                       ; preds = %if.else.i, %if.end14.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.else.i, %land.lhs.true.i7, %if.end22.i
  %cond = phi i1 [ false, %land.lhs.true.i7 ], [ true, %if.end22.i ], [ false, %if.else.i ]
  %retval.i.1 = phi i64 [ %k.i.0, %land.lhs.true.i7 ], [ %retval.i.0, %if.end22.i ], [ %k.i.0, %if.else.i ]
  br i1 %cond, label %cleanup.cont.i, label %move_at_hand.exit

cleanup.cont.i:                                   ; preds = %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %here.addr.i.0, i64 8
  %incdec.ptr24.i = getelementptr inbounds nuw i8, ptr %there.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !64

move_at_hand.exit:                                ; preds = %land.end.i, %cleanup.i, %cond.true.i, %for.cond.i
  %cond.i = phi i64 [ %k.i.0, %for.cond.i ], [ 0, %cond.true.i ], [ %retval.i.1, %cleanup.i ], [ 0, %land.end.i ]
  %cmp.not = icmp eq i64 %cond.i, %n
  %conv = zext i1 %cmp.not to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool.not = icmp eq i64 %expval, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %move_at_hand.exit
  %add.ptr = getelementptr inbounds nuw i8, ptr %target, i64 %cond.i
  %add.ptr2 = getelementptr inbounds nuw i8, ptr %origin, i64 %cond.i
  %sub = sub i64 %n, %cond.i
  call void @move_bytes(ptr %add.ptr, ptr %add.ptr2, i64 %sub, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %move_at_hand.exit
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
  %0 = load i64, ptr @stained, align 8, !tbaa !15
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
  %or.cond139 = select i1 %cmp4, i1 %cmp6, i1 false
  br i1 %or.cond139, label %if.then7, label %if.end13

if.then7:                                         ; preds = %if.end3
  %mul = shl i64 %n, 1
  %call = call ptr @malloc(i64 %mul) #13
  %tobool8.not = icmp eq ptr %call, null
  br i1 %tobool8.not, label %if.then9, label %if.end10

if.then9:                                         ; preds = %if.then7
  call void @fail(ptr nonnull @.str.5, ptr %file, i32 %at)
  br label %if.end10

if.end10:                                         ; preds = %if.then9, %if.then7
  %add.ptr11 = getelementptr inbounds nuw i8, ptr %call, i64 %n
  call void @take_out(ptr %target, ptr %call, ptr nonnull %add.ptr11, i64 %n, ptr %file, i32 %at)
  call void @give(ptr %origin, ptr %call, ptr nonnull %add.ptr11, i64 %n, ptr %file, i32 %at)
  call void @free(ptr %call) #11
  br label %return

if.end13:                                         ; preds = %if.end3
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %marks) #11
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
  %rem.i = and i64 %1, 4095
  %sub.i = sub nuw nsw i64 4096, %rem.i
  %cond.i = call i64 @llvm.umin.i64(i64 %sub, i64 %sub.i)
  %2 = ptrtoint ptr %add.ptr17 to i64
  %rem.i5 = and i64 %2, 4095
  %sub.i6 = sub nuw nsw i64 4096, %rem.i5
  %cond.i11 = call i64 @llvm.umin.i64(i64 %cond.i, i64 %sub.i6)
  %3 = load i64, ptr @waiting, align 8, !tbaa !15
  %4 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %3, %4
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %for.cond.i, label %move_words.exit

for.cond.i:                                       ; preds = %for.body, %cleanup.cont.i
  %k.i.0 = phi i64 [ %add.i, %cleanup.cont.i ], [ 0, %for.body ]
  %there.addr.i.0 = phi ptr [ %incdec.ptr24.i, %cleanup.cont.i ], [ %call18, %for.body ]
  %here.addr.i.0 = phi ptr [ %incdec.ptr.i, %cleanup.cont.i ], [ %call16, %for.body ]
  %retval.i.1 = phi i64 [ %retval.i.2, %cleanup.cont.i ], [ %retval.i.0, %for.body ]
  %add.i = add i64 %k.i.0, 8
  %cmp.i.not = icmp ugt i64 %add.i, %cond.i11
  br i1 %cmp.i.not, label %move_words.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr15, i64 %k.i.0
  %5 = load i64, ptr %add.ptr.i, align 1, !tbaa !23
  %6 = load i64, ptr %here.addr.i.0, align 1, !tbaa !23
  %cmp1.i = icmp eq i64 %6, 1663540288323457296
  br i1 %cmp1.i, label %if.then2.i, label %if.else.i

if.then2.i:                                       ; preds = %for.body.i
  %cond140 = icmp eq i64 %5, 0
  br i1 %cond140, label %if.end14.i, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %if.then2.i
  %7 = load i64, ptr %there.addr.i.0, align 1, !tbaa !23
  switch i64 %7, label %cleanup.i [
    i64 0, label %if.then10.i
    i64 1663540288323457296, label %if.then10.i
  ]

if.then10.i:                                      ; preds = %land.lhs.true.i, %land.lhs.true.i
  %8 = load double, ptr %add.ptr.i, align 1, !tbaa !23
  %add.ptr12.i = getelementptr inbounds nuw i8, ptr %add.ptr17, i64 %k.i.0
  %9 = load double, ptr %add.ptr12.i, align 1, !tbaa !23
  %add13.i = fadd double %9, %8
  store double %add13.i, ptr %add.ptr12.i, align 1, !tbaa !23
  store i64 1663540288323457296, ptr %there.addr.i.0, align 1, !tbaa !23
  br label %if.end14.i

if.end14.i:                                       ; preds = %if.then2.i, %if.then10.i
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !23
  store i64 0, ptr %here.addr.i.0, align 1, !tbaa !23
  br label %if.end22.i

if.else.i:                                        ; preds = %for.body.i
  %or16.i = or i64 %6, %5
  %tobool17.i.not = icmp eq i64 %or16.i, 0
  %cmp19.i.not = icmp eq i64 %6, 5135868584551137600
  %or.cond141 = or i1 %tobool17.i.not, %cmp19.i.not
  br i1 %or.cond141, label %if.end22.i, label %cleanup.i

if.end22.i:                                       ; preds = %if.else.i, %if.end14.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.else.i, %land.lhs.true.i, %if.end22.i
  %cond = phi i1 [ false, %land.lhs.true.i ], [ true, %if.end22.i ], [ false, %if.else.i ]
  %retval.i.2 = phi i64 [ %k.i.0, %land.lhs.true.i ], [ %retval.i.1, %if.end22.i ], [ %k.i.0, %if.else.i ]
  br i1 %cond, label %cleanup.cont.i, label %move_words.exit

cleanup.cont.i:                                   ; preds = %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %here.addr.i.0, i64 8
  %incdec.ptr24.i = getelementptr inbounds nuw i8, ptr %there.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !64

move_words.exit:                                  ; preds = %for.cond.i, %for.body, %cleanup.i
  %retval.i.3 = phi i64 [ 0, %for.body ], [ %retval.i.2, %cleanup.i ], [ %k.i.0, %for.cond.i ]
  %tobool26.not = icmp eq i64 %retval.i.3, 0
  br i1 %tobool26.not, label %if.then27, label %if.then33

if.then27:                                        ; preds = %move_words.exit
  %cmp.i20 = icmp samesign ult i64 %cond.i11, 4
  br i1 %cmp.i20, label %if.end34, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.then27
  %10 = load i64, ptr @waiting, align 8, !tbaa !15
  %11 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i21 = or i64 %10, %11
  %tobool.i22.not = icmp eq i64 %or.i21, 0
  br i1 %tobool.i22.not, label %lor.lhs.false1.i, label %if.end34

lor.lhs.false1.i:                                 ; preds = %lor.lhs.false.i
  %12 = load i32, ptr %call16, align 1, !tbaa !23
  %cmp2.i.not = icmp eq i32 %12, 589439264
  br i1 %cmp2.i.not, label %if.end.i23, label %if.end34

if.end.i23:                                       ; preds = %lor.lhs.false1.i
  %13 = load i32, ptr %add.ptr15, align 1, !tbaa !23
  %tobool3.i24.not = icmp eq i32 %13, 0
  br i1 %tobool3.i24.not, label %if.end9.i, label %if.then4.i

if.then4.i:                                       ; preds = %if.end.i23
  %14 = load i32, ptr %call18, align 1, !tbaa !23
  switch i32 %14, label %if.end34 [
    i32 0, label %if.end8.i25
    i32 589439264, label %if.end8.i25
  ]

if.end8.i25:                                      ; preds = %if.then4.i, %if.then4.i
  %15 = load float, ptr %add.ptr15, align 1, !tbaa !23
  %16 = load float, ptr %add.ptr17, align 1, !tbaa !23
  %add.i26 = fadd float %16, %15
  store float %add.i26, ptr %add.ptr17, align 1, !tbaa !23
  store i32 589439264, ptr %call18, align 1, !tbaa !23
  br label %if.end9.i

if.end9.i:                                        ; preds = %if.end8.i25, %if.end.i23
  store i32 0, ptr %add.ptr15, align 1, !tbaa !23
  store i32 0, ptr %call16, align 1, !tbaa !23
  br label %if.then33

if.then33:                                        ; preds = %move_words.exit, %if.end9.i
  %done.0 = phi i64 [ %retval.i.3, %move_words.exit ], [ 4, %if.end9.i ]
  %add = add i64 %k.0, %done.0
  br label %cleanup70, !llvm.loop !65

if.end34:                                         ; preds = %if.then27, %lor.lhs.false.i, %lor.lhs.false1.i, %if.then4.i
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
  %17 = load i64, ptr %add.ptr15, align 1, !tbaa !23
  %tobool45.not = icmp eq i64 %17, 0
  br i1 %tobool45.not, label %if.then46, label %cleanup

if.then46:                                        ; preds = %if.then37, %land.lhs.true43
  br label %cleanup, !llvm.loop !65

cleanup:                                          ; preds = %land.lhs.true43, %if.then37, %if.then46
  %k.3 = phi i64 [ %add35, %if.then46 ], [ %k.0, %if.then37 ], [ %k.0, %land.lhs.true43 ]
  %cond138 = phi i1 [ false, %if.then46 ], [ true, %if.then37 ], [ true, %land.lhs.true43 ]
  br i1 %cond138, label %if.end49, label %cleanup70

if.end49:                                         ; preds = %cleanup, %if.end34
  %k.2 = phi i64 [ %k.0, %if.end34 ], [ %k.3, %cleanup ]
  %18 = load i64, ptr @waiting, align 8, !tbaa !15
  %tobool50.not = icmp eq i64 %18, 0
  br i1 %tobool50.not, label %land.lhs.true51, label %if.end58

land.lhs.true51:                                  ; preds = %if.end49
  %arrayidx = getelementptr inbounds nuw i8, ptr %target, i64 %k.2
  %19 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %tobool52.not = icmp eq i8 %19, 0
  br i1 %tobool52.not, label %land.lhs.true53, label %if.end58

land.lhs.true53:                                  ; preds = %land.lhs.true51
  %call55 = call i8 @mark_of(ptr nonnull %arrayidx)
  %tobool56.not = icmp eq i8 %call55, 0
  br i1 %tobool56.not, label %if.then57, label %if.end58

if.then57:                                        ; preds = %land.lhs.true53
  %inc = add i64 %k.2, 1
  br label %cleanup70, !llvm.loop !65

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
  call void @llvm.lifetime.end.p0(ptr nonnull %marks) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #11
  br label %return

return:                                           ; preds = %entry, %for.end, %if.end10
  ret void
}

define void @em.kinds.copy_pointers(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #5 {
entry:
  %0 = load i64, ptr @pointers, align 8, !tbaa !15
  %tobool.i.not = icmp eq i64 %0, 0
  br i1 %tobool.i.not, label %while.cond.i, label %copy_nothing.exit

while.cond.i:                                     ; preds = %land.rhs.i, %entry
  %k.i.0 = phi i64 [ 0, %entry ], [ %add.i, %land.rhs.i ]
  %add.i = add i64 %k.i.0, 8
  %cmp.i.not = icmp ugt i64 %add.i, %n
  br i1 %cmp.i.not, label %while.end.i, label %land.rhs.i

land.rhs.i:                                       ; preds = %while.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %origin, i64 %k.i.0
  %1 = load i64, ptr %add.ptr.i, align 1, !tbaa !23
  %tobool1.i.not = icmp eq i64 %1, 0
  br i1 %tobool1.i.not, label %while.cond.i, label %while.end.i, !llvm.loop !66

while.end.i:                                      ; preds = %while.cond.i, %land.rhs.i
  br label %while.cond3.i

while.cond3.i:                                    ; preds = %while.body9.i, %while.end.i
  %k.i.1 = phi i64 [ %k.i.0, %while.end.i ], [ %inc.i, %while.body9.i ]
  %cmp4.i = icmp ult i64 %k.i.1, %n
  br i1 %cmp4.i, label %land.rhs5.i, label %copy_nothing.exit

land.rhs5.i:                                      ; preds = %while.cond3.i
  %arrayidx.i = getelementptr inbounds nuw i8, ptr %origin, i64 %k.i.1
  %2 = load i8, ptr %arrayidx.i, align 1, !tbaa !23
  %tobool6.i.not = icmp eq i8 %2, 0
  br i1 %tobool6.i.not, label %while.body9.i, label %copy_nothing.exit

while.body9.i:                                    ; preds = %land.rhs5.i
  %inc.i = add i64 %k.i.1, 1
  br label %while.cond3.i, !llvm.loop !67

copy_nothing.exit:                                ; preds = %land.rhs5.i, %while.cond3.i, %entry
  %retval.i.0 = phi i64 [ 0, %entry ], [ %k.i.1, %while.cond3.i ], [ %k.i.1, %land.rhs5.i ]
  %cmp = icmp eq i64 %retval.i.0, %n
  br i1 %cmp, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %copy_nothing.exit
  %add.ptr = getelementptr inbounds nuw i8, ptr %target, i64 %retval.i.0
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %origin, i64 %retval.i.0
  %sub = sub i64 %n, %retval.i.0
  %3 = ptrtoint ptr %add.ptr to i64
  %div.i5.i92 = lshr i64 %3, 12
  %rem.i6.i = and i64 %div.i5.i92, 255
  %arrayidx.i7.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i6.i
  %4 = load i64, ptr %arrayidx.i7.i, align 8, !tbaa !32
  %sub.i8.i = sub i64 %3, %4
  %cmp.i9.i = icmp ult i64 %sub, 4097
  %sub1.i13.i = sub i64 4096, %sub
  %cmp2.i14.i = icmp ule i64 %sub.i8.i, %sub1.i13.i
  %or.cond = select i1 %cmp.i9.i, i1 %cmp2.i14.i, i1 false
  br i1 %or.cond, label %cond.true.i15.i, label %at_hand.exit19.i

cond.true.i15.i:                                  ; preds = %if.end
  %page.i16.i = getelementptr inbounds nuw i8, ptr %arrayidx.i7.i, i64 8
  %5 = load ptr, ptr %page.i16.i, align 8, !tbaa !34
  %mark.i17.i = getelementptr inbounds nuw i8, ptr %5, i64 24
  %arrayidx3.i18.i = getelementptr inbounds nuw i8, ptr %mark.i17.i, i64 %sub.i8.i
  br label %at_hand.exit19.i

at_hand.exit19.i:                                 ; preds = %if.end, %cond.true.i15.i
  %cond.i11.i = phi ptr [ null, %if.end ], [ %arrayidx3.i18.i, %cond.true.i15.i ]
  %6 = ptrtoint ptr %add.ptr1 to i64
  %div.i.i93 = lshr i64 %6, 12
  %rem.i.i = and i64 %div.i.i93, 255
  %arrayidx.i.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i.i
  %7 = load i64, ptr %arrayidx.i.i, align 8, !tbaa !32
  %sub.i.i = sub i64 %6, %7
  %cmp2.i.i = icmp ule i64 %sub.i.i, %sub1.i13.i
  %or.cond89 = select i1 %cmp.i9.i, i1 %cmp2.i.i, i1 false
  br i1 %or.cond89, label %cond.true.i.i, label %at_hand.exit.i

cond.true.i.i:                                    ; preds = %at_hand.exit19.i
  %page.i.i = getelementptr inbounds nuw i8, ptr %arrayidx.i.i, i64 8
  %8 = load ptr, ptr %page.i.i, align 8, !tbaa !34
  %mark.i.i = getelementptr inbounds nuw i8, ptr %8, i64 24
  %arrayidx3.i.i = getelementptr inbounds nuw i8, ptr %mark.i.i, i64 %sub.i.i
  br label %at_hand.exit.i

at_hand.exit.i:                                   ; preds = %at_hand.exit19.i, %cond.true.i.i
  %or.cond90 = phi i1 [ false, %at_hand.exit19.i ], [ %cmp2.i14.i, %cond.true.i.i ]
  %cond.i.i = phi ptr [ null, %at_hand.exit19.i ], [ %arrayidx3.i.i, %cond.true.i.i ]
  br i1 %or.cond90, label %land.rhs.i7, label %land.end.i4

land.rhs.i7:                                      ; preds = %at_hand.exit.i
  %sub.i = sub i64 %3, %6
  %add.i8 = add i64 %sub.i, %sub
  %sub5.i = add i64 %add.i8, -1
  %sub6.i = shl i64 %sub, 1
  %mul.i = add i64 %sub6.i, -2
  %cmp.i9 = icmp ugt i64 %sub5.i, %mul.i
  %9 = zext i1 %cmp.i9 to i64
  br label %land.end.i4

land.end.i4:                                      ; preds = %land.rhs.i7, %at_hand.exit.i
  %lnot.ext.i = phi i64 [ 0, %at_hand.exit.i ], [ %9, %land.rhs.i7 ]
  %expval.i = call i64 @llvm.expect.i64(i64 %lnot.ext.i, i64 1)
  %tobool8.i.not = icmp eq i64 %expval.i, 0
  br i1 %tobool8.i.not, label %copy_at_hand.exit, label %for.cond.i

for.cond.i:                                       ; preds = %land.end.i4, %cleanup.cont.i
  %k.i14.0 = phi i64 [ %add.i16, %cleanup.cont.i ], [ 0, %land.end.i4 ]
  %from.addr.i.0 = phi ptr [ %incdec.ptr20.i, %cleanup.cont.i ], [ %cond.i.i, %land.end.i4 ]
  %to.addr.i.0 = phi ptr [ %incdec.ptr.i, %cleanup.cont.i ], [ %cond.i11.i, %land.end.i4 ]
  %retval.i10.0 = phi i64 [ %retval.i10.1, %cleanup.cont.i ], [ undef, %land.end.i4 ]
  %add.i16 = add i64 %k.i14.0, 8
  %cmp.i17.not = icmp ugt i64 %add.i16, %sub
  br i1 %cmp.i17.not, label %copy_at_hand.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i18 = getelementptr inbounds nuw i8, ptr %add.ptr1, i64 %k.i14.0
  %10 = load i64, ptr %add.ptr.i18, align 1, !tbaa !23
  %.fr = freeze i64 %10
  %add.ptr1.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k.i14.0
  %11 = load i64, ptr %add.ptr1.i, align 1, !tbaa !23
  %12 = load i64, ptr %from.addr.i.0, align 1, !tbaa !23
  %13 = load i64, ptr %to.addr.i.0, align 1, !tbaa !23
  %or.i = or i64 %12, %13
  %and.i = and i64 %or.i, 4629771061636907072
  %tobool.i19.not = icmp eq i64 %and.i, 0
  br i1 %tobool.i19.not, label %if.then.i20, label %if.else.i

if.then.i20:                                      ; preds = %for.body.i
  %tobool2.i21.not = icmp eq i64 %.fr, 0
  br i1 %tobool2.i21.not, label %if.end17.i, label %switch.early.test

switch.early.test:                                ; preds = %if.then.i20
  switch i64 %12, label %cleanup.i [
    i64 2531622362447749408, label %if.end17.i
    i64 1663540288323457296, label %if.end17.i
  ]

if.else.i:                                        ; preds = %for.body.i
  %cmp7.i.not = icmp eq i64 %12, 5135868584551137600
  br i1 %cmp7.i.not, label %lor.lhs.false.i, label %cleanup.i

lor.lhs.false.i:                                  ; preds = %if.else.i
  switch i64 %13, label %cleanup.i [
    i64 0, label %cond.false.i25
    i64 5135868584551137600, label %if.else14.i
  ]

cond.false.i25:                                   ; preds = %lor.lhs.false.i
  %tobool12.i.not = icmp eq i64 %11, 0
  br i1 %tobool12.i.not, label %if.else14.i, label %cleanup.i

if.else14.i:                                      ; preds = %lor.lhs.false.i, %cond.false.i25
  store i64 %.fr, ptr %add.ptr1.i, align 1, !tbaa !23
  store i64 5135868584551137600, ptr %to.addr.i.0, align 1, !tbaa !23
  br label %if.end17.i

if.end17.i:                                       ; preds = %switch.early.test, %switch.early.test, %if.then.i20, %if.else14.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %switch.early.test, %lor.lhs.false.i, %if.else.i, %cond.false.i25, %if.end17.i
  %cond = phi i1 [ false, %switch.early.test ], [ true, %if.end17.i ], [ false, %cond.false.i25 ], [ false, %lor.lhs.false.i ], [ false, %if.else.i ]
  %retval.i10.1 = phi i64 [ %k.i14.0, %switch.early.test ], [ %retval.i10.0, %if.end17.i ], [ %k.i14.0, %cond.false.i25 ], [ %k.i14.0, %lor.lhs.false.i ], [ %k.i14.0, %if.else.i ]
  br i1 %cond, label %cleanup.cont.i, label %copy_at_hand.exit

cleanup.cont.i:                                   ; preds = %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %to.addr.i.0, i64 8
  %incdec.ptr20.i = getelementptr inbounds nuw i8, ptr %from.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !68

copy_at_hand.exit:                                ; preds = %land.end.i4, %cleanup.i, %for.cond.i
  %cond.i = phi i64 [ %k.i14.0, %for.cond.i ], [ %retval.i10.1, %cleanup.i ], [ 0, %land.end.i4 ]
  %cmp3.not = icmp eq i64 %cond.i, %sub
  %conv = zext i1 %cmp3.not to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool.not = icmp eq i64 %expval, 0
  br i1 %tobool.not, label %if.then5, label %cleanup.cont

if.then5:                                         ; preds = %copy_at_hand.exit
  %add.ptr6 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %cond.i
  %add.ptr7 = getelementptr inbounds nuw i8, ptr %add.ptr1, i64 %cond.i
  %sub8 = sub i64 %sub, %cond.i
  call void @copy_bytes(ptr %add.ptr6, ptr %add.ptr7, i64 %sub8, ptr %file, i32 %at)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %copy_nothing.exit, %if.then5, %copy_at_hand.exit
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
  %rem.i = and i64 %0, 4095
  %sub.i = sub nuw nsw i64 4096, %rem.i
  %cond.i = call i64 @llvm.umin.i64(i64 %sub, i64 %sub.i)
  %1 = ptrtoint ptr %add.ptr6 to i64
  %rem.i3 = and i64 %1, 4095
  %sub.i4 = sub nuw nsw i64 4096, %rem.i3
  %cond.i9 = call i64 @llvm.umin.i64(i64 %cond.i, i64 %sub.i4)
  br label %for.cond.i

for.cond.i:                                       ; preds = %cleanup.cont.i, %for.body
  %k.i.0 = phi i64 [ 0, %for.body ], [ %add.i, %cleanup.cont.i ]
  %from.addr.i.0 = phi ptr [ %call7, %for.body ], [ %incdec.ptr20.i, %cleanup.cont.i ]
  %to.addr.i.0 = phi ptr [ %call, %for.body ], [ %incdec.ptr.i, %cleanup.cont.i ]
  %retval.i.1 = phi i64 [ %retval.i.0, %for.body ], [ %retval.i.2, %cleanup.cont.i ]
  %add.i = add i64 %k.i.0, 8
  %cmp.i13.not = icmp ugt i64 %add.i, %cond.i9
  br i1 %cmp.i13.not, label %copy_words.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr6, i64 %k.i.0
  %2 = load i64, ptr %add.ptr.i, align 1, !tbaa !23
  %.fr = freeze i64 %2
  %add.ptr1.i = getelementptr inbounds nuw i8, ptr %add.ptr5, i64 %k.i.0
  %3 = load i64, ptr %add.ptr1.i, align 1, !tbaa !23
  %4 = load i64, ptr %from.addr.i.0, align 1, !tbaa !23
  %5 = load i64, ptr %to.addr.i.0, align 1, !tbaa !23
  %or.i = or i64 %4, %5
  %and.i = and i64 %or.i, 4629771061636907072
  %tobool.i.not = icmp eq i64 %and.i, 0
  br i1 %tobool.i.not, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %for.body.i
  %tobool2.i.not = icmp eq i64 %.fr, 0
  br i1 %tobool2.i.not, label %if.end17.i, label %switch.early.test

switch.early.test:                                ; preds = %if.then.i
  switch i64 %4, label %cleanup.i [
    i64 2531622362447749408, label %if.end17.i
    i64 1663540288323457296, label %if.end17.i
  ]

if.else.i:                                        ; preds = %for.body.i
  %cmp7.i.not = icmp eq i64 %4, 5135868584551137600
  br i1 %cmp7.i.not, label %lor.lhs.false.i, label %cleanup.i

lor.lhs.false.i:                                  ; preds = %if.else.i
  switch i64 %5, label %cleanup.i [
    i64 0, label %cond.false.i14
    i64 5135868584551137600, label %if.else14.i
  ]

cond.false.i14:                                   ; preds = %lor.lhs.false.i
  %tobool12.i.not = icmp eq i64 %3, 0
  br i1 %tobool12.i.not, label %if.else14.i, label %cleanup.i

if.else14.i:                                      ; preds = %lor.lhs.false.i, %cond.false.i14
  store i64 %.fr, ptr %add.ptr1.i, align 1, !tbaa !23
  store i64 5135868584551137600, ptr %to.addr.i.0, align 1, !tbaa !23
  br label %if.end17.i

if.end17.i:                                       ; preds = %switch.early.test, %switch.early.test, %if.then.i, %if.else14.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %switch.early.test, %lor.lhs.false.i, %if.else.i, %cond.false.i14, %if.end17.i
  %cond = phi i1 [ false, %switch.early.test ], [ true, %if.end17.i ], [ false, %cond.false.i14 ], [ false, %lor.lhs.false.i ], [ false, %if.else.i ]
  %retval.i.2 = phi i64 [ %k.i.0, %switch.early.test ], [ %retval.i.1, %if.end17.i ], [ %k.i.0, %cond.false.i14 ], [ %k.i.0, %lor.lhs.false.i ], [ %k.i.0, %if.else.i ]
  br i1 %cond, label %cleanup.cont.i, label %copy_words.exit

cleanup.cont.i:                                   ; preds = %cleanup.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %to.addr.i.0, i64 8
  %incdec.ptr20.i = getelementptr inbounds nuw i8, ptr %from.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !68

copy_words.exit:                                  ; preds = %for.cond.i, %cleanup.i
  %retval.i.3 = phi i64 [ %retval.i.2, %cleanup.i ], [ %k.i.0, %for.cond.i ]
  %add = add i64 %k.0, %retval.i.3
  %cmp15.not = icmp eq i64 %add, %n
  br i1 %cmp15.not, label %if.end37, label %if.end17

if.end17:                                         ; preds = %copy_words.exit
  %add.ptr18 = getelementptr inbounds nuw i8, ptr %target, i64 %add
  %add.ptr19 = getelementptr inbounds nuw i8, ptr %origin, i64 %add
  %call20 = call i8 @mark_of(ptr %add.ptr19)
  %conv = zext i8 %call20 to i32
  %6 = load i8, ptr %add.ptr19, align 1, !tbaa !23
  call void @copy_byte(ptr %add.ptr18, i32 %conv, i8 %6, ptr %file, i32 %at)
  %inc = add i64 %add, 1
  br label %for.cond, !llvm.loop !69

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
  %7 = load i8, ptr %add.ptr31, align 1, !tbaa !23
  call void @copy_byte(ptr %add.ptr30, i32 %conv33, i8 %7, ptr %file, i32 %at)
  br label %for.cond25, !llvm.loop !70

if.end37:                                         ; preds = %copy_words.exit, %for.cond, %for.cond25, %entry
  ret void
}

define void @em.kinds.clear(ptr %p, i64 %n, ptr %file, i32 %at) #5 {
entry:
  %0 = ptrtoint ptr %p to i64
  %div.i29 = lshr i64 %0, 12
  %rem.i = and i64 %div.i29, 255
  %arrayidx.i = getelementptr inbounds nuw %struct.near, ptr @near, i64 %rem.i
  %1 = load i64, ptr %arrayidx.i, align 8, !tbaa !32
  %sub.i = sub i64 %0, %1
  %cmp.i = icmp ult i64 %n, 4097
  %sub1.i = sub i64 4096, %n
  %cmp2.i = icmp ule i64 %sub.i, %sub1.i
  %or.cond = select i1 %cmp.i, i1 %cmp2.i, i1 false
  br i1 %or.cond, label %cond.true.i, label %at_hand.exit

cond.true.i:                                      ; preds = %entry
  %page.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %2 = load ptr, ptr %page.i, align 8, !tbaa !34
  %mark.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %mark.i, i64 %sub.i
  br label %at_hand.exit

at_hand.exit:                                     ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ null, %entry ], [ %arrayidx3.i, %cond.true.i ]
  %conv = zext i1 %or.cond to i64
  %expval = call i64 @llvm.expect.i64(i64 %conv, i64 1)
  %tobool2.not = icmp eq i64 %expval, 0
  br i1 %tobool2.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %at_hand.exit
  %3 = load i64, ptr @waiting, align 8, !tbaa !15
  %4 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %3, %4
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %for.cond.i, label %cond.end

for.cond.i:                                       ; preds = %cond.true, %if.end11.i
  %k.i.0 = phi i64 [ %add.i, %if.end11.i ], [ 0, %cond.true ]
  %marks.addr.i.0 = phi ptr [ %incdec.ptr.i, %if.end11.i ], [ %cond.i, %cond.true ]
  %add.i = add i64 %k.i.0, 8
  %cmp.i3.not = icmp ugt i64 %add.i, %n
  br i1 %cmp.i3.not, label %cond.end, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %5 = load i64, ptr %marks.addr.i.0, align 1, !tbaa !23
  switch i64 %5, label %cond.end [
    i64 1663540288323457296, label %if.then3.i
    i64 2531622362447749408, label %if.then3.i
    i64 5135868584551137600, label %if.end11.i
    i64 0, label %lor.lhs.false6.i
  ]

if.then3.i:                                       ; preds = %for.body.i, %for.body.i
  store i64 0, ptr %marks.addr.i.0, align 1, !tbaa !23
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %p, i64 %k.i.0
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !23
  br label %if.end11.i

lor.lhs.false6.i:                                 ; preds = %for.body.i
  %add.ptr7.i = getelementptr inbounds nuw i8, ptr %p, i64 %k.i.0
  %6 = load i64, ptr %add.ptr7.i, align 1, !tbaa !23
  %tobool8.i.not = icmp eq i64 %6, 0
  br i1 %tobool8.i.not, label %if.end11.i, label %cond.end

if.end11.i:                                       ; preds = %for.body.i, %lor.lhs.false6.i, %if.then3.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %marks.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !71

cond.end:                                         ; preds = %for.body.i, %at_hand.exit, %cond.true, %lor.lhs.false6.i, %for.cond.i
  %cond = phi i64 [ %k.i.0, %for.cond.i ], [ %k.i.0, %for.body.i ], [ 0, %cond.true ], [ %k.i.0, %lor.lhs.false6.i ], [ 0, %at_hand.exit ]
  %cmp.not = icmp eq i64 %cond, %n
  %conv9 = zext i1 %cmp.not to i64
  %expval10 = call i64 @llvm.expect.i64(i64 %conv9, i64 1)
  %tobool11.not = icmp eq i64 %expval10, 0
  br i1 %tobool11.not, label %if.then, label %if.end

if.then:                                          ; preds = %cond.end
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %cond
  %sub = sub i64 %n, %cond
  call void @clear_bytes(ptr %add.ptr, i64 %sub, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret void
}

define internal void @clear_bytes(ptr %p, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %0 = load i64, ptr @stained, align 8, !tbaa !15
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
  %rem.i = and i64 %1, 4095
  %sub.i = sub nuw nsw i64 4096, %rem.i
  %cond.i = call i64 @llvm.umin.i64(i64 %sub, i64 %sub.i)
  %2 = load i64, ptr @waiting, align 8, !tbaa !15
  %3 = load i64, ptr @stained, align 8, !tbaa !15
  %or.i = or i64 %2, %3
  %tobool.i.not = icmp eq i64 %or.i, 0
  br i1 %tobool.i.not, label %for.cond.i, label %clear_words.exit

for.cond.i:                                       ; preds = %for.body, %if.end11.i
  %k.i.0 = phi i64 [ %add.i, %if.end11.i ], [ 0, %for.body ]
  %marks.addr.i.0 = phi ptr [ %incdec.ptr.i, %if.end11.i ], [ %call, %for.body ]
  %add.i = add i64 %k.i.0, 8
  %cmp.i.not = icmp ugt i64 %add.i, %cond.i
  br i1 %cmp.i.not, label %clear_words.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %4 = load i64, ptr %marks.addr.i.0, align 1, !tbaa !23
  switch i64 %4, label %clear_words.exit [
    i64 1663540288323457296, label %if.then3.i
    i64 2531622362447749408, label %if.then3.i
    i64 5135868584551137600, label %if.end11.i
    i64 0, label %lor.lhs.false6.i
  ]

if.then3.i:                                       ; preds = %for.body.i, %for.body.i
  store i64 0, ptr %marks.addr.i.0, align 1, !tbaa !23
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k.i.0
  store i64 0, ptr %add.ptr.i, align 1, !tbaa !23
  br label %if.end11.i

lor.lhs.false6.i:                                 ; preds = %for.body.i
  %add.ptr7.i = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %k.i.0
  %5 = load i64, ptr %add.ptr7.i, align 1, !tbaa !23
  %tobool8.i.not = icmp eq i64 %5, 0
  br i1 %tobool8.i.not, label %if.end11.i, label %clear_words.exit

if.end11.i:                                       ; preds = %for.body.i, %lor.lhs.false6.i, %if.then3.i
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %marks.addr.i.0, i64 8
  br label %for.cond.i, !llvm.loop !71

clear_words.exit:                                 ; preds = %for.body.i, %for.cond.i, %lor.lhs.false6.i, %for.body
  %retval.i.0 = phi i64 [ %k.i.0, %for.body.i ], [ 0, %for.body ], [ %k.i.0, %lor.lhs.false6.i ], [ %k.i.0, %for.cond.i ]
  %add = add i64 %k.0, %retval.i.0
  %cmp5.not = icmp eq i64 %add, %n
  br i1 %cmp5.not, label %for.end, label %if.end7

if.end7:                                          ; preds = %clear_words.exit
  %add.ptr8 = getelementptr inbounds nuw i8, ptr %p, i64 %add
  %call9 = call ptr @known_more(ptr %add.ptr8)
  %call11 = call i8 @mark_of(ptr %add.ptr8)
  %cond49 = icmp eq i8 %call11, 0
  br i1 %cond49, label %land.lhs.true, label %land.lhs.true18

land.lhs.true:                                    ; preds = %if.end7
  %6 = load i8, ptr %add.ptr8, align 1, !tbaa !23
  %tobool14.not = icmp eq i8 %6, 0
  br i1 %tobool14.not, label %if.end24, label %if.then15

if.then15:                                        ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.4, ptr %file, i32 %at)
  br label %if.end24

land.lhs.true18:                                  ; preds = %if.end7
  %7 = and i8 %call11, -16
  %cmp19.old.not = icmp eq i8 %7, 64
  br i1 %cmp19.old.not, label %if.end24, label %if.then21

if.then21:                                        ; preds = %land.lhs.true18
  store i8 0, ptr %add.ptr8, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %add.ptr8, i32 0)
  br label %if.end24

if.end24:                                         ; preds = %land.lhs.true, %if.then15, %if.then21, %land.lhs.true18
  %tobool25.not = icmp eq ptr %call9, null
  br i1 %tobool25.not, label %for.inc, label %land.lhs.true26

land.lhs.true26:                                  ; preds = %if.end24
  %8 = ptrtoint ptr %add.ptr8 to i64
  %rem = and i64 %8, 4095
  %arrayidx28 = getelementptr inbounds nuw i8, ptr %call9, i64 %rem
  %9 = load i8, ptr %arrayidx28, align 1, !tbaa !23
  %tobool30.not = icmp eq i8 %9, 0
  br i1 %tobool30.not, label %for.inc, label %if.then31

if.then31:                                        ; preds = %land.lhs.true26
  store i8 0, ptr %arrayidx28, align 1, !tbaa !23
  %10 = load i64, ptr @waiting, align 8, !tbaa !15
  %dec = add i64 %10, -1
  store i64 %dec, ptr @waiting, align 8, !tbaa !15
  br label %for.inc

for.inc:                                          ; preds = %if.then31, %land.lhs.true26, %if.end24
  %inc = add i64 %add, 1
  br label %for.cond, !llvm.loop !72

for.end:                                          ; preds = %clear_words.exit, %for.cond
  ret void
}

define internal void @grow() #0 {
entry:
  %0 = load ptr, ptr @slots, align 8, !tbaa !12
  %1 = load i64, ptr @room, align 8, !tbaa !15
  %tobool.not = icmp eq i64 %1, 0
  %mul = shl i64 %1, 1
  %cond = select i1 %tobool.not, i64 64, i64 %mul
  store i64 %cond, ptr @room, align 8, !tbaa !15
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
  %4 = load i64, ptr %2, align 8, !tbaa !25
  %call5 = call i64 @place(i64 %4)
  %arrayidx6 = getelementptr inbounds nuw ptr, ptr %3, i64 %call5
  store ptr %2, ptr %arrayidx6, align 8, !tbaa !0
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !73

for.end:                                          ; preds = %for.cond
  call void @free(ptr %0) #11
  ret void
}

define internal ptr @blank_memory(i64 %n) #0 {
entry:
  %call = call ptr @calloc(i64 1, i64 %n) #14
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.5, ptr nonnull @.str.6, i32 0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret ptr %call
}

define internal i64 @place(i64 %key) #0 {
entry:
  %mul = mul i64 %key, -7046029254386353131
  %shr = lshr i64 %mul, 20
  %0 = load i64, ptr @room, align 8, !tbaa !15
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
  %3 = load i64, ptr %2, align 8, !tbaa !25
  %cmp.not = icmp eq i64 %3, %key
  br i1 %cmp.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %add = add i64 %at.0, 1
  br label %while.cond, !llvm.loop !74

while.end:                                        ; preds = %while.cond, %land.rhs
  ret i64 %at.0
}

declare ptr @calloc(i64, i64) #7

declare void @em.run.bytes(ptr, ptr, i32) #8

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
  %0 = load i8, ptr %add.ptr, align 1, !tbaa !23
  %conv15 = zext i8 %0 to i32
  %or = or i32 %bits.0, %conv15
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %bits.1 = phi i32 [ %or, %if.then ], [ %bits.0, %for.body ]
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !75

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
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !23
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i8 [ %0, %cond.true ], [ 0, %for.body ]
  %idxprom2 = zext nneg i32 %k.0 to i64
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %p, i64 %idxprom2
  store i8 %cond, ptr %arrayidx3, align 1, !tbaa !23
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !76

for.end:                                          ; preds = %for.cond
  ret void
}

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
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %tobool.not = icmp eq i8 %0, 0
  %1 = and i32 %nothing.0, 1
  %and = select i1 %tobool.not, i32 %1, i32 0
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !77

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
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
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
  %2 = load i8, ptr %add.ptr, align 1, !tbaa !23
  call void @wait_for(ptr nonnull %add.ptr, i32 %add, i8 %2, ptr %file, i32 %at)
  br label %for.inc26

for.inc26:                                        ; preds = %for.body15, %if.then19
  %inc27 = add nuw nsw i32 %k11.0, 1
  br label %for.cond12, !llvm.loop !78

if.end29:                                         ; preds = %if.then4, %for.cond12, %if.end
  call void @put(ptr %p, ptr %part, i32 %call)
  br label %if.end30

if.end30:                                         ; preds = %if.end29, %if.then8
  call void @mark_all(ptr %p, i32 %kind, i32 %call)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end30, %for.end
  ret void
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
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.7, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %conv = trunc i32 %mark to i8
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !23
  %bits4 = getelementptr inbounds nuw i8, ptr %call, i64 4096
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %bits4, i64 %rem
  store i8 %bits, ptr %arrayidx6, align 1, !tbaa !23
  %2 = load i64, ptr @waiting, align 8, !tbaa !15
  %inc = add i64 %2, 1
  store i64 %inc, ptr @waiting, align 8, !tbaa !15
  %and = and i32 %mark, 240
  %call7 = call i32 @width(i32 %and)
  %and8 = and i32 %mark, 15
  %idx.ext = zext nneg i32 %and8 to i64
  %idx.neg = sub nsw i64 0, %idx.ext
  %add.ptr = getelementptr inbounds i8, ptr %p, i64 %idx.neg
  call void @llvm.lifetime.start.p0(ptr nonnull %whole) #11
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
  %4 = load i8, ptr %arrayidx18, align 1, !tbaa !23
  %conv19 = zext i8 %4 to i32
  %add = add nuw nsw i32 %and, %k.0
  %cmp20.not = icmp eq i32 %add, %conv19
  br i1 %cmp20.not, label %if.end23, label %cleanup52

if.end23:                                         ; preds = %lor.lhs.false
  %bits24 = getelementptr inbounds nuw i8, ptr %call12, i64 4096
  %arrayidx28 = getelementptr inbounds nuw i8, ptr %bits24, i64 %rem17
  %5 = load i8, ptr %arrayidx28, align 1, !tbaa !23
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %whole, i64 %idx.ext10
  store i8 %5, ptr %arrayidx29, align 1, !tbaa !23
  %inc30 = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !79

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
  store i8 0, ptr %arrayidx46, align 1, !tbaa !23
  %inc48 = add nuw nsw i32 %k33.0, 1
  br label %for.cond34, !llvm.loop !80

for.end50:                                        ; preds = %for.cond34
  %conv51 = sext i32 %call7 to i64
  %7 = load i64, ptr @waiting, align 8, !tbaa !15
  %sub = sub i64 %7, %conv51
  store i64 %sub, ptr @waiting, align 8, !tbaa !15
  call void @add(ptr %add.ptr, i32 %and, ptr nonnull %whole, ptr %file, i32 %at)
  br label %cleanup52

cleanup52:                                        ; preds = %for.body, %lor.lhs.false, %for.end50
  call void @llvm.lifetime.end.p0(ptr nonnull %whole) #11
  ret void
}

define internal void @take(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
entry:
  call void @read(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at)
  %call = call i32 @width(i32 %kind)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %k.0, %call
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call1 = call i8 @mark_of(ptr %add.ptr)
  %0 = and i8 %call1, -16
  %cmp2.not = icmp eq i8 %0, 64
  br i1 %cmp2.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  store i8 0, ptr %add.ptr, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !81

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @move_stains(ptr %target, ptr %origin, i64 %n) #0 {
entry:
  %cmp = icmp ult ptr %target, %origin
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %j.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @stained, align 8, !tbaa !15
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
  br label %for.cond, !llvm.loop !82

for.end:                                          ; preds = %for.cond
  ret void
}

declare ptr @malloc(i64) #9

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
  %0 = load i8, ptr %add.ptr, align 1, !tbaa !23
  %tobool4.not = icmp eq i8 %0, 0
  br i1 %tobool4.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.4, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %for.body
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %marks, i64 %k.0
  store i8 %call, ptr %arrayidx6, align 1, !tbaa !23
  %1 = load i8, ptr %add.ptr, align 1, !tbaa !23
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  store i8 %1, ptr %arrayidx8, align 1, !tbaa !23
  %tobool9 = icmp ne i8 %call, 0
  %2 = and i8 %call, -16
  %cmp11 = icmp ne i8 %2, 64
  %or.cond = and i1 %tobool9, %cmp11
  br i1 %or.cond, label %if.then13, label %for.inc

if.then13:                                        ; preds = %if.end
  store i8 0, ptr %add.ptr, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %if.end, %if.then13
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !83

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
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %1 = and i8 %0, -16
  %and = zext i8 %1 to i32
  %call = call i32 @width(i32 %and)
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %land.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !23
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
  %4 = load i8, ptr %arrayidx20, align 1, !tbaa !23
  %conv21 = zext i8 %4 to i32
  %add22 = add nuw nsw i32 %part.0, %and
  %cmp23 = icmp eq i32 %add22, %conv21
  %inc = add nuw nsw i32 %part.0, 1
  br label %for.cond9, !llvm.loop !84

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
  %5 = load i8, ptr %arrayidx, align 1, !tbaa !23
  %conv37 = zext i8 %5 to i32
  %arrayidx38 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  %6 = load i8, ptr %arrayidx38, align 1, !tbaa !23
  call void @arrive(ptr %add.ptr35, i32 %conv37, i8 %6, ptr %file, i32 %at)
  %inc39 = add i64 %k.0, 1
  br label %if.end40

if.end40:                                         ; preds = %if.then30, %if.else34, %if.then
  %k.1 = phi i64 [ %inc28, %if.then ], [ %add33, %if.then30 ], [ %inc39, %if.else34 ]
  br label %for.cond, !llvm.loop !85

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
  br label %for.cond, !llvm.loop !86

cleanup12:                                        ; preds = %for.cond, %for.body, %entry
  %retval.0 = phi i32 [ 1, %entry ], [ %call1, %for.cond ], [ 1, %for.body ]
  ret i32 %retval.0
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
  %1 = load i8, ptr %p, align 1, !tbaa !23
  %tobool5.not = icmp eq i8 %1, 0
  br i1 %tobool5.not, label %if.end7, label %if.then6

if.then6:                                         ; preds = %land.lhs.true3
  call void @fail(ptr nonnull @.str.4, ptr %file, i32 %at)
  br label %if.end7

if.end7:                                          ; preds = %if.then6, %land.lhs.true3, %if.end
  store i8 %bits, ptr %p, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %p, i32 %mark)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.then, %if.end7
  ret void
}

define internal void @copy_byte(ptr %to, i32 %mark, i8 %bits, ptr %file, i32 %at) #0 {
entry:
  %tobool = icmp eq i32 %mark, 0
  %tobool1 = icmp ne i8 %bits, 0
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.4, ptr %file, i32 %at)
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
  %0 = load i8, ptr %to, align 1, !tbaa !23
  %tobool11.not = icmp eq i8 %0, 0
  br i1 %tobool11.not, label %if.end15, label %if.then14

cond.false:                                       ; preds = %if.then4
  %1 = load i8, ptr %to, align 1, !tbaa !23
  %tobool13.not = icmp eq i8 %1, 0
  br i1 %tobool13.not, label %if.end15, label %if.then14

if.then14:                                        ; preds = %cond.false, %land.lhs.true9
  call void @fail(ptr nonnull @.str, ptr %file, i32 %at)
  br label %if.end15

if.end15:                                         ; preds = %if.then14, %cond.false, %land.lhs.true9, %cond.true
  store i8 %bits, ptr %to, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %to, i32 %mark)
  br label %if.end21

if.else:                                          ; preds = %if.end
  %and16 = and i32 %conv2, 240
  %cmp17 = icmp eq i32 %and16, 64
  br i1 %cmp17, label %if.then19, label %if.end21

if.then19:                                        ; preds = %if.else
  store i8 0, ptr %to, align 1, !tbaa !23
  call void @set_mark(ptr nonnull %to, i32 0)
  br label %if.end21

if.end21:                                         ; preds = %if.else, %if.then19, %if.end15
  ret void
}

declare i1 @llvm.is.fpclass.f64(double, i32 immarg) #10

declare i1 @llvm.is.fpclass.f32(float, i32 immarg) #10

declare i64 @llvm.umin.i64(i64, i64) #10

attributes #0 = { minsize noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #7 = { nounwind allocsize(0,1) "no-trapping-math"="true" }
attributes #8 = { cold noreturn "no-trapping-math"="true" }
attributes #9 = { nounwind allocsize(0) "no-trapping-math"="true" }
attributes #10 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #11 = { nounwind }
attributes #12 = { cold noreturn nounwind }
attributes #13 = { nounwind allocsize(0) }
attributes #14 = { nounwind allocsize(0,1) }

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
!15 = !{!7, !7, i64 0}
!16 = distinct !{!16, !11}
!17 = !{!18, !18, i64 0}
!18 = !{!"int", !3, i64 0}
!19 = !{!20, !21, i64 0}
!20 = !{!"", !21, i64 0, !18, i64 8}
!21 = !{!"p1 omnipotent char", !2, i64 0}
!22 = distinct !{!22, !11}
!23 = !{!3, !3, i64 0}
!24 = distinct !{!24, !11}
!25 = !{!6, !7, i64 0}
!26 = !{!27, !7, i64 0}
!27 = !{!"", !7, i64 0, !3, i64 8}
!28 = distinct !{!28, !11}
!29 = distinct !{!29, !11}
!30 = distinct !{!30, !11}
!31 = distinct !{!31, !11}
!32 = !{!33, !7, i64 0}
!33 = !{!"near", !7, i64 0, !1, i64 8}
!34 = !{!33, !1, i64 8}
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
!45 = !{!20, !18, i64 8}
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
!73 = distinct !{!73, !11}
!74 = distinct !{!74, !11}
!75 = distinct !{!75, !11}
!76 = distinct !{!76, !11}
!77 = distinct !{!77, !11}
!78 = distinct !{!78, !11}
!79 = distinct !{!79, !11}
!80 = distinct !{!80, !11}
!81 = distinct !{!81, !11}
!82 = distinct !{!82, !11}
!83 = distinct !{!83, !11}
!84 = distinct !{!84, !11}
!85 = distinct !{!85, !11}
!86 = distinct !{!86, !11}
