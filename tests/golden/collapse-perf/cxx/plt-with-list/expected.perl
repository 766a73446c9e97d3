wader;main;Log::put 250000
