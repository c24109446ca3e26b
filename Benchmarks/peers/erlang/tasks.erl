%% Tasks of no length, handed from one Erlang node to another by erpc:call: the time of a single task, and
%% the tasks per second of 64 callers.
-module(tasks).
-export([scan/1, main/1]).

-define(CALLERS, 64).
-define(WARMUP, 2000).

%% The task: runs on the other node.
scan(Sector) ->
    Number = integer_to_binary(Sector),
    <<"sector ", Number/binary, " by b">>.

%% Started with the other node's name, how many tasks, and how many of them one at a time.
main([Name, Tasks, Singles]) ->
    Node = list_to_atom(Name),
    connect(Node, 100),
    _ = singles(Node, ?WARMUP),
    Sorted = lists:sort(singles(Node, list_to_integer(Singles))),
    Count = list_to_integer(Tasks),
    Seconds = together(Node, Count),
    io:format("p50_us ~.1f~np99_us ~.1f~ntasks_per_s ~b~n",
              [quantile(0.5, Sorted), quantile(0.99, Sorted), round(Count / Seconds)]),
    init:stop().

%% The other node takes a moment to start.
connect(Node, 0) ->
    io:format(standard_error, "~s cannot be reached~n", [Node]),
    halt(1);
connect(Node, Tries) ->
    case net_kernel:connect_node(Node) of
        true -> ok;
        _ -> timer:sleep(100), connect(Node, Tries - 1)
    end.

call(Node, Sector) -> erpc:call(Node, ?MODULE, scan, [Sector]).

%% The microseconds of each call.
singles(Node, Count) ->
    [begin
         Start = erlang:monotonic_time(),
         _ = call(Node, Sector),
         Took = erlang:monotonic_time() - Start,
         erlang:convert_time_unit(Took, native, nanosecond) / 1000
     end || Sector <- lists:seq(1, Count)].

%% The seconds until all callers have done their parts. The callers take the sectors in turn.
together(Node, Count) ->
    Start = erlang:monotonic_time(),
    Callers = [spawn_monitor(fun() -> caller(Node, First, Count) end) || First <- lists:seq(1, ?CALLERS)],
    [receive {'DOWN', Reference, process, Process, normal} -> ok end || {Process, Reference} <- Callers],
    Took = erlang:monotonic_time() - Start,
    erlang:convert_time_unit(Took, native, microsecond) / 1.0e6.

caller(_, Sector, Count) when Sector > Count -> ok;
caller(Node, Sector, Count) ->
    _ = call(Node, Sector),
    caller(Node, Sector + ?CALLERS, Count).

quantile(Share, Sorted) ->
    lists:nth(max(1, ceil(Share * length(Sorted))), Sorted).
