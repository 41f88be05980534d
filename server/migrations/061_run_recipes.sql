-- Of a training, by which recipe its images were prepared; of a prediction, by which its images are before the network.
alter table run_inputs add column recipe jsonb;
